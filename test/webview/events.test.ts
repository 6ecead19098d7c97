import { strict as assert } from "node:assert";

import type { RawEvent } from "../../src/run/panel/messages.ts";
import { conversation, idle, streaming } from "./demo.ts";
import { usePanel } from "./panelPage.ts";
import { until } from "../support/until.ts";

describe("The run panel's event list", () => {
  const panel = usePanel({ height: 700 });

  const event = (index: number): RawEvent => ({
    index,
    id: `id-${index}`,
    event: index % 10 === 0 ? "updates" : "messages",
    data: JSON.stringify({ n: index }),
    at: Date.UTC(2026, 4, 4, 9, 30) + index,
  });

  /** Answers the page's requests for pages from here on, as the host would with `total` events. */
  const answerPages = (total: number, dropped = 0, answered = 0) => {
    let over = false;
    const loop = async () => {
      while (!over) {
        const requests = await panel.posted("raw");
        for (const { search, offset, limit } of requests.slice(answered)) {
          const all = Array.from({ length: total - dropped }, (_, index) => dropped + index).filter(
            (index) =>
              search === "" || event(index).event.includes(search) || event(index).data.includes(search),
          );
          const events = all.slice(offset, offset + limit).map(event);
          await panel.deliver({ type: "rawPage", search, offset, total: all.length, events, dropped });
        }
        answered = requests.length;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    const running = loop();
    return async () => {
      over = true;
      await running;
    };
  };

  it("shows the newest events, fetching only the pages in sight", async () => {
    const stop = answerPages(10_000);
    await panel.show({ ...streaming, events: 10_000 }, conversation);
    await panel.page.getByRole("tab", { name: /Events 10,000/ }).click();
    await panel.page.getByRole("button", { name: /9,999/ }).waitFor();
    const offsets = (await panel.posted("raw")).map((request) => request.offset);
    assert.ok(offsets.length < 6, `asked for ${offsets.join()}`);
    await stop();
  });

  it("says how many of the oldest events were let go, and lists the others", async () => {
    const stop = answerPages(1_000, 900);
    await panel.show({ ...streaming, events: 1_000 }, conversation);
    await panel.page.getByRole("tab", { name: /Events 1,000/ }).click();
    await panel.page.getByText("900 oldest dropped").waitFor();
    await panel.page.getByRole("button", { name: /^999/ }).waitFor();
    await stop();
  });

  it("lists each event in its place when more of the oldest are let go", async () => {
    const { page } = panel;
    await panel.show({ ...streaming, events: 1_000 }, conversation);
    const stop = answerPages(1_000);
    await page.getByRole("tab", { name: /Events 1,000/ }).click();
    await page.getByRole("button", { name: /^999/ }).waitFor();
    await stop();
    const later = answerPages(1_150, 150, (await panel.posted("raw")).length);
    await panel.patch({}, 1_150);
    await page.getByRole("button", { name: /^1,149/ }).waitFor();
    await until("a list without holes", async () => {
      const shown = await page.locator(".event-line .event-index").allInnerTexts();
      const numbers = shown.map((text) => Number(text.replace(",", "")));
      return numbers.every((number, place) => place === 0 || number === numbers[place - 1]! + 1);
    });
    await later();
  });

  it("follows new events at its end", async () => {
    await panel.show({ ...streaming, events: 200 }, conversation);
    let stop = answerPages(200);
    await panel.page.getByRole("tab", { name: /Events/ }).click();
    await panel.page.getByRole("button", { name: /^199/ }).waitFor();
    await stop();
    stop = answerPages(350);
    await panel.patch({}, 350);
    await panel.page.getByRole("button", { name: /^349/ }).waitFor();
    await stop();
  });

  it("finds events by their text and says how many", async () => {
    const stop = answerPages(1000);
    await panel.show({ ...idle, events: 1000 }, conversation);
    await panel.page.getByRole("tab", { name: /Events/ }).click();
    await panel.page.getByRole("searchbox", { name: "Search in events" }).fill("updates");
    await panel.page.getByText("100 of 1,000 events").waitFor();
    await panel.page.getByRole("button", { name: /^990.*updates/ }).waitFor();
    await panel.page.getByRole("button", { name: "Copy All" }).click();
    assert.equal((await panel.next("copyEvents")).search, "updates");
    await panel.page.getByRole("searchbox").fill("nowhere");
    await panel.page.getByText("No event contains “nowhere”.").waitFor();
    await stop();
  });

  it("counts no match before the search has an answer", async () => {
    let stop = answerPages(1000);
    await panel.show({ ...idle, events: 1000 }, conversation);
    await panel.page.getByRole("tab", { name: /Events/ }).click();
    await panel.page.getByRole("button", { name: /^999 / }).waitFor();
    await stop();
    await panel.page.getByRole("searchbox").fill("updates");
    await panel.page.getByText("Searching…").waitFor();
    await panel.patch({}, 1001);
    assert.equal(await panel.page.getByRole("status").filter({ hasText: " of " }).count(), 0);
    assert.equal(await panel.page.getByText("No event contains").count(), 0);
    stop = answerPages(1001);
    await panel.page.getByText("101 of 1,001 events").waitFor();
    await stop();
  });

  it("opens an event to its data and copies it as one line of JSON", async () => {
    const stop = answerPages(50);
    await panel.show({ ...idle, events: 50 }, conversation);
    await panel.page.getByRole("tab", { name: /Events/ }).click();
    await panel.page.getByRole("button", { name: /^40 / }).click();
    await panel.page.getByRole("button", { name: "Copy Event as JSON" }).click();
    assert.equal(
      (await panel.next("copy")).text,
      '{"at":"2026-05-04T09:30:00.040Z","id":"id-40","event":"updates","data":{"n":40}}',
    );
    await stop();
  });

  it("leaves an event that is opened at its place, also when others arrive", async () => {
    const stop = answerPages(60);
    await panel.show({ ...idle, events: 50 }, conversation);
    await panel.page.getByRole("tab", { name: /Events/ }).click();
    const line = panel.page.getByRole("button", { name: /^48 / });
    const top = async () => Math.round((await line.boundingBox())!.y);
    await line.waitFor();
    const before = await top();
    await line.press("Enter");
    await panel.page.getByRole("button", { name: "Copy Event as JSON" }).waitFor();
    await panel.settled();
    assert.equal(await top(), before);
    await panel.patch({}, 60);
    await panel.page.getByText("60 events").waitFor();
    await panel.settled();
    assert.equal(await top(), before);
    await stop();
  });

  it("shows and copies each digit of a number", async () => {
    const { page } = panel;
    await panel.show({ ...streaming, events: 1 }, conversation);
    await page.getByRole("tab", { name: /Events 1/ }).click();
    await panel.next("raw");
    const data = '{"order": 12345678901234567890}';
    const events = [{ index: 0, event: "custom", data, at: 0 }];
    await panel.deliver({ type: "rawPage", search: "", offset: 0, total: 1, events });
    await page.locator(".event-line", { hasText: "custom" }).click();
    await page.getByText('"order": 12345678901234567890').last().waitFor();
    await page.getByRole("button", { name: "Copy Event as JSON" }).click();
    assert.equal(
      (await panel.next("copy")).text,
      `{"at":"1970-01-01T00:00:00.000Z","event":"custom","data":${data}}`,
    );
  });

  it("is reached from a custom event of the transcript, at that event", async () => {
    const stop = answerPages(412);
    await panel.page.setViewportSize({ width: 1000, height: 1500 });
    await panel.show(streaming, conversation);
    await panel.page.getByRole("button", { name: /42 custom events/ }).click();
    // By key: the list follows its end as the row opens, and may move between the mouse's down and up.
    await panel.page.getByRole("button", { name: "Show in Events" }).press("Enter");
    await panel.page.getByRole("button", { name: /^118 / }).waitFor();
    await stop();
  });

  it("is reached at that event also where older ones were let go, and ends with the newest the next time", async () => {
    const stop = answerPages(412, 100);
    await panel.page.setViewportSize({ width: 1000, height: 1500 });
    await panel.show(streaming, conversation);
    await panel.page.getByRole("button", { name: /42 custom events/ }).click();
    await panel.page.getByRole("button", { name: "Show in Events" }).press("Enter");
    await panel.page.getByRole("button", { name: /^118 / }).waitFor();
    await panel.page.getByRole("tab", { name: "Transcript" }).click();
    await panel.page.getByRole("tab", { name: /Events/ }).click();
    await panel.page.getByRole("button", { name: /^411 / }).waitFor();
    await stop();
  });

  it("keeps its search and the chosen view while the page is away", async () => {
    let stop = answerPages(100);
    await panel.show({ ...idle, events: 100 }, conversation);
    await panel.page.getByRole("tab", { name: /Events/ }).click();
    await panel.page.getByRole("searchbox").fill("updates");
    await panel.page.getByText("10 of 100 events").waitFor();
    await stop();
    await panel.reload();
    stop = answerPages(100);
    await panel.show({ ...idle, events: 100 }, conversation);
    await panel.page.getByText("10 of 100 events").waitFor();
    await until(
      "the search",
      async () => (await panel.page.getByRole("searchbox").inputValue()) === "updates",
    );
    await stop();
  });
});
