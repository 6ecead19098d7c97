import { strict as assert } from "node:assert";

import type { Picture } from "../../src/run/json/pictures.ts";
import type { Entry } from "../../src/run/panel/transcript.ts";
import { idle } from "./demo.ts";
import { usePanel } from "./panelPage.ts";
import { until } from "../support/until.ts";

const data =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const picture: Picture = { type: "image/png", data, width: 1, height: 1 };
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="window.owned = 1"/>').toString(
  "base64",
);

describe("Pictures in the run panel", () => {
  const panel = usePanel();
  const say = (pictures: readonly Picture[]) =>
    panel.show(idle, [
      { kind: "message", id: "m", lane: "", role: "ai", streaming: false, text: "See", pictures },
    ]);
  const images = () => panel.page.locator("img");
  const drawn = (): Promise<boolean> =>
    panel.page.evaluate("[...document.images].every((image) => image.complete && image.naturalWidth > 0)");

  it("are drawn in a message, with what they are, and saved", async () => {
    await say([picture, picture]);
    await until("both are drawn", async () => (await images().count()) === 2 && (await drawn()));
    assert.equal(await images().first().getAttribute("alt"), "Picture, PNG, 1 × 1 pixels, 72 bytes");
    await panel.page.getByRole("button", { name: "Save Picture" }).first().click();
    assert.equal((await panel.next("savePicture")).data, data);
    assert.deepEqual(panel.strayRequests, []);
  });

  it("of a tool are named in its line and drawn in its card, beside its artifact", async () => {
    const tool: Entry = { kind: "tool", id: "t", lane: "", name: "draw", args: "{}", status: "done" };
    await panel.show(idle, [{ ...tool, result: "Done", pictures: [picture], artifact: '{"rows":3}' }]);
    await panel.page.getByText("1 picture", { exact: true }).waitFor();
    await panel.page.locator(".disclosure-head").click();
    await images().waitFor();
    const artifact = panel.page.getByRole("group", { name: "Artifact" });
    assert.equal(await artifact.innerText(), '{\n  "rows": 3\n}');
  });

  it("that can't be drawn say so, and nothing of them runs", async () => {
    await say([{ ...picture, data: svg }]);
    await panel.page.getByText("This picture can't be drawn: its data is damaged.").waitFor();
    assert.equal(await images().count(), 0);
    assert.equal(await panel.page.evaluate("window.owned"), undefined);
  });

  it("as wide as a wall fit the page", async () => {
    await say([{ ...picture, width: 6000, height: 4000 }]);
    const box = await images().boundingBox();
    assert(box !== null && box.width <= 1000 && box.height <= 430, JSON.stringify(box));
  });
});
