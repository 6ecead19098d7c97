import { strict as assert } from "node:assert";
import type { Feedback } from "../../../../src/run/panel/transcript.ts";
import { recordingBytes } from "../../../support/recordings.ts";
import { hello, opened } from "./openedSession.ts";

describe("a session's feedback", () => {
  it("is locked once it was sent, and can be sent again when that failed", async () => {
    const sent: [string, Feedback][] = [];
    const failures = [new Error("offline")];
    const { session, server, idle, entry } = opened({
      submitFeedback: async (url, feedback) => {
        await Promise.resolve();
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        sent.push([url, feedback]);
      },
    });
    server.script.push({ bytes: await recordingBytes("feedback"), status: "success" });
    await session.start({ ...hello, feedbackKeys: ["user_score", "correct"] });
    await idle();
    const given = { score: 1, comment: "good" };
    assert.deepEqual(await session.answers.feedback("run1", "user_score", given), {
      accepted: false,
      message: "Told: offline",
      shown: true,
    });
    assert.deepEqual(entry("feedback").keys[0], {
      key: "user_score",
      state: "failed",
      given,
      error: "Told: offline",
    });
    assert.deepEqual(await session.answers.feedback("run1", "user_score", given), { accepted: true });
    assert.deepEqual(entry("feedback").keys[0], { key: "user_score", state: "sent", given });
    assert.equal((await session.answers.feedback("run1", "user_score", given)).accepted, false);
    assert.equal(sent.length, 1);
    assert.match(sent[0]![0], /^http.*\/feedback\/tokens\//);
    assert.ok(!JSON.stringify([session.entries, session.search("", 0, 1000)]).includes("/feedback/tokens/"));
  });
});
