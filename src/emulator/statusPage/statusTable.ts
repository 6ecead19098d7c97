import { html, type Html } from "./html.ts";
import type { Platform } from "../platform/platform.ts";

const shownDeliveries = 30;

/** A table of the status page, or a sentence in its place when it has no rows. */
export function table(head: readonly string[], rows: readonly Html[], empty: string): Html {
  if (rows.length === 0) return html`<p class="dim">${empty}</p>`;
  return html`<div>
    <table>
      <thead>
        <tr>
          ${head.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

/** The latest webhook deliveries, of all events or of those about an issue or a project. */
export function deliveryTable(platform: Platform, about?: string): Html {
  const webhooks = new Map(platform.webhooks.list().map(({ id, url }) => [id, originOf(url)]));
  const rows = platform.deliveries.recent(shownDeliveries, about).map(
    ({ webhook_id, type, attempt, state, status, error, at }) =>
      html`<tr>
        <td><time>${at}</time></td>
        <td>${type}</td>
        <td><code>${webhooks.get(webhook_id) ?? ""}</code></td>
        <td>${attempt === 0 ? "" : attempt}</td>
        <td class="${state === "failed" ? "bad" : state === "delivered" ? "good" : "dim"}">${state}</td>
        <td>${status ?? error ?? ""}</td>
      </tr>`,
  );
  const head = ["Time", "Event", "To", "Attempt", "Delivery", "Answer"];
  return table(head, rows, "Nothing was delivered yet.");
}

/** Paths and queries of webhooks are often secrets. */
function originOf(url: string): string {
  return URL.parse(url)?.origin ?? "";
}
