import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import type { Page } from "playwright-core";

const program = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe finds in a page as it is, each with rule, element and reason; `rules` turns some of them off. */
export async function axeFindings(page: Page, rules: object = {}): Promise<readonly string[]> {
  if (await page.evaluate("!('axe' in window)")) await page.evaluate(await program);
  // It may fetch no style sheet again, for the page's content policy forbids it.
  const options = JSON.stringify({ resultTypes: ["violations"], preload: false, rules });
  const found: readonly Violation[] = await page.evaluate(
    `axe.run(document, ${options}).then((result) => result.violations)`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}
