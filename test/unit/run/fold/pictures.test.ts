import { deepEqual, equal } from "node:assert/strict";

import type { Json } from "../../../../src/api/agentServer/wire.ts";
import { TranscriptFold } from "../../../../src/run/fold/fold.ts";

const data = "R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";
const image = { type: "image_url", image_url: { url: `data:image/gif;base64,${data}` } };
const picture = { type: "image/gif", data, width: 1, height: 1 };

describe("Pictures in a transcript", () => {
  let fold: TranscriptFold;

  const send = (event: string, value: Json) =>
    fold.run("r").apply([{ event, data: JSON.stringify(value) }], 1000);
  const message = () => fold.entries().find((entry) => entry.kind === "message");
  const tool = () => fold.entries().find((entry) => entry.kind === "tool");

  beforeEach(() => {
    fold = new TranscriptFold();
    fold.open({ runId: "r", assistantId: "a", status: "running" });
  });

  it("stand in a message beside its text, also when it has none", () => {
    send("values", { messages: [{ id: "m", type: "ai", content: [{ type: "text", text: "See" }, image] }] });
    deepEqual([message()?.text, message()?.pictures], ["See", [picture]]);
    send("values", { messages: [{ id: "m", type: "ai", content: [image] }] });
    deepEqual([message()?.text, message()?.pictures], ["", [picture]]);
  });

  it("come with a piece of a message that streams, and are not sent again with each token", () => {
    send("messages", [{ id: "m", type: "AIMessageChunk", content: "See " }, {}]);
    fold.ledger.takePatch();
    send("messages", [{ id: "m", type: "AIMessageChunk", content: [image] }, {}]);
    const [set] = fold.ledger.takePatch()?.set ?? [];
    deepEqual(set?.kind === "message" && set.pictures, [picture]);
    send("messages", [{ id: "m", type: "AIMessageChunk", content: "it" }, {}]);
    equal(fold.ledger.takePatch()?.set.length, 0);
    deepEqual(message()?.pictures, [picture]);
  });

  it("begin a message that streams", () => {
    send("messages", [{ id: "m", type: "AIMessageChunk", content: [image] }, {}]);
    deepEqual(message()?.pictures, [picture]);
  });

  it("are said in words when they can't be shown", () => {
    const svg = { type: "image_url", image_url: "data:image/svg+xml;base64,PHN2Zy8+" };
    send("values", { messages: [{ id: "m", type: "ai", content: [svg] }] });
    deepEqual(message()?.text, "A picture is not shown: image/svg+xml is not PNG, JPEG, GIF or WebP.");
  });

  it("of a tool are those of its result and of its artifact, each once, and the artifact is kept", () => {
    const call = { id: "m", type: "ai", content: "", tool_calls: [{ id: "t", name: "draw", args: {} }] };
    const answer = { id: "n", type: "tool", tool_call_id: "t", content: ["Done", image] };
    send("values", { messages: [call, { ...answer, artifact: { rows: 3, chart: image } }] });
    deepEqual(tool()?.result, "Done");
    deepEqual(tool()?.artifact, '{"rows":3,"chart":"Picture 1"}');
    deepEqual(tool()?.pictures, [picture]);
    fold.ledger.takePatch();
    send("values", { messages: [call, { ...answer, artifact: { rows: 4 } }] });
    deepEqual(tool()?.artifact, '{"rows":4}');
    equal(fold.ledger.takePatch()?.set.length, 1);
  });
});
