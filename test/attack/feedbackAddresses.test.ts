import { deepEqual, equal } from "node:assert/strict";
import { checkFeedbackAddress } from "../../src/editor/threads/servers/feedback.ts";
import { NotPossibleError } from "../../src/editor/kit/remedies.ts";

const names: Readonly<Record<string, string>> = {
  "agents.example.com": "93.184.216.34",
  "feedback.example.com": "93.184.216.35",
  "rebound.example.com": "127.0.0.1",
  "inside.example.com": "10.1.2.3",
};

/** Where the server is, where it wants feedback, and what comes of it. */
const rows: readonly (readonly [server: string, url: string, outcome: "sent" | "asked" | "refused"])[] = [
  ["https://agents.example.com", "https://agents.example.com/feedback/tokens/1", "sent"],
  ["https://agents.example.com", "https://typed.example.com/feedback/tokens/1", "sent"],
  ["https://agents.example.com", "https://feedback.example.com/tokens/1", "asked"],
  ["https://agents.example.com", "https://agents.example.com:8443/tokens/1", "asked"],
  ["https://agents.example.com", "https://unknown.example.com/tokens/1", "asked"],
  ...[
    "http://127.0.0.1:2375/containers/db/stop?t=0",
    "http://localhost:2375/",
    "http://LOCALHOST.:2375/",
    "http://x.localhost/",
    "http://[::1]:2375/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[2002:7f00:1::]/",
    "http://0x7f000001/",
    "http://127.1/",
    "http://0.0.0.0/",
    "http://10.0.0.1/",
    "http://192.168.1.1/admin",
    "http://169.254.169.254/latest",
    "http://[fd00::1]/",
    "http://[fe80::1]/",
    "https://rebound.example.com/",
    "https://inside.example.com/",
  ].map((url) => ["https://agents.example.com", url, "refused"] as const),
  ["http://127.0.0.1:2024", "http://127.0.0.1:2024/feedback/tokens/1", "sent"],
  ["http://127.0.0.1:2024", "http://localhost:1984/feedback/tokens/1", "asked"],
  ["http://10.1.2.4:2024", "http://10.1.2.3/feedback", "asked"],
  ["https://inside.example.com", "http://10.1.2.3/feedback", "asked"],
];

describe("A server that says where feedback goes", () => {
  for (const [serverUrl, url, expected] of rows) {
    it(`${url} of ${serverUrl}: ${expected}`, async () => {
      for (const answer of [true, false]) {
        const asked: string[] = [];
        const check = checkFeedbackAddress(url, {
          serverUrl,
          isKnown: (known) => Promise.resolve(new URL(known).hostname === "typed.example.com"),
          ask: (origin) => {
            asked.push(origin);
            return Promise.resolve(answer);
          },
          addressesOf: (host) => Promise.resolve([names[host] ?? []].flat()),
        });
        const may = await check.then(
          () => true,
          (error: unknown) => !(error instanceof NotPossibleError),
        );
        deepEqual(asked, expected === "asked" ? [new URL(url).origin] : []);
        equal(may, expected === "sent" || (expected === "asked" && answer));
      }
    });
  }
});
