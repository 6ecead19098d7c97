/** How long a run and its step have been running, on a real agent server whose clock is not this machine's. */

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { AgentServer } from "../../src/api/agentServer/index.ts";
import { Http } from "../../src/api/http.ts";
import { realClock } from "../../src/api/poll.ts";
import { ServerClocks } from "../../src/api/serverClocks.ts";
import type { Entry } from "../../src/run/panel/transcript.ts";
import type { RunSession } from "../../src/run/session/session.ts";
import { idle, liveSession, request } from "../support/liveSession.ts";
import { until } from "../support/until.ts";
import { say } from "./agentServerPeer.ts";
import { type AgentServerProcess, startAgentServer } from "./server.ts";

/** A date has whole seconds, so a clock is known to about one. */
const mostOffMs = 2000;

for (const ahead of [90_000, -90_000])
  describe(`a real agent server whose clock is ${ahead / 1000} s ahead`, () => {
    const clocks = new ServerClocks();
    const sessions: RunSession[] = [];
    let server: AgentServerProcess;
    let api: AgentServer;

    before(async () => {
      const shift = pathToFileURL(join(import.meta.dirname, "../support/shiftedClock.ts")).href;
      server = await startAgentServer({ NODE_OPTIONS: `--import=${shift}`, CLOCK_AHEAD_MS: String(ahead) });
      const onExchange: NonNullable<ConstructorParameters<typeof Http>[0]["onExchange"]> = ({
        url,
        clock,
      }) => {
        if (clock !== undefined) clocks.note(url, clock);
      };
      api = new AgentServer(new Http({ baseUrl: server.url, onExchange }));
    });
    after(async () => {
      sessions.forEach((session) => session.dispose());
      await server.stop();
    });

    const serverNow = () => Date.now() + clocks.ahead(server.url);
    function opened(threadId?: string): RunSession {
      const session = liveSession(api, threadId, () => undefined, { ...realClock, now: serverNow });
      sessions.push(session);
      return session;
    }
    const running = (session: RunSession, kind: "run" | "step"): Entry | undefined =>
      session.entries.find((entry) => entry.kind === kind && entry.status === "running");
    const startOf = (session: RunSession, kind: "run" | "step"): number | undefined => {
      const entry = running(session, kind);
      return entry !== undefined && "startedAt" in entry ? entry.startedAt : undefined;
    };

    it("shows how long they have been running, to who started the run and to who comes later", async () => {
      const begun = Date.now();
      const first = opened();
      await first.start(request("slow", { json: { ...say("Talk long"), seconds: 30 } }));
      await until("the step", () => startOf(first, "step") !== undefined);
      const seen = Date.now();
      const second = opened(first.threadId);
      await second.load();
      await until("the step, for the second", () => startOf(second, "step") !== undefined);
      assert.ok(Math.abs(clocks.ahead(server.url) - ahead) < mostOffMs, `${clocks.ahead(server.url)} ms`);
      for (const session of [first, second])
        for (const kind of ["run", "step"] as const) {
          const [now, shown] = [
            Date.now(),
            serverNow() - (startOf(session, kind) ?? assert.fail(`no ${kind}`)),
          ];
          const [least, most] = [now - seen - mostOffMs, now - begun + mostOffMs];
          assert.ok(shown >= least && shown <= most, `${kind}: ${shown} ms, not ${least} to ${most} ms`);
        }
      await first.stop();
      await Promise.all([idle(first), idle(second)]);
    });
  });
