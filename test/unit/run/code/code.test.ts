import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { runInNewContext } from "node:vm";
import type { Json, RunCreate } from "../../../../src/api/agentServer/wire.ts";
import { headerValue, type RunCall } from "../../../../src/run/code/call.ts";
import { curlCode } from "../../../../src/run/code/curl.ts";
import { pythonCode } from "../../../../src/run/code/python.ts";
import { typescriptCode } from "../../../../src/run/code/typescript.ts";

const bodyOf = (input: Json): RunCreate => ({
  assistant_id: `a'b"c`,
  input,
  stream_mode: ["values"],
  stream_subgraphs: true,
  config: { configurable: { "it's": "$HOME" } },
});
const nested = (levels: number): Json => (levels === 0 ? "core" : [nested(levels - 1)]);

/** Texts that end a quotation, start a command, or look like something else than they are. */
const hostile: Readonly<Record<string, Json>> = {
  quotes: { text: `'"\`'''"""\\' \\" '; touch /tmp/owned; echo '` },
  expansions: { text: "$(touch /tmp/owned) `id` ${HOME} $API_KEY !! !$ %s \\n" },
  lines: { text: "one\ntwo\r\n\tthree\nJSON\n\u2028four\u2029\u0000\u001b[31m" },
  names: { "'; exit 1; '": 1, __proto__x: 2, [`"}); process.exit(1); ({"`]: null, "a\nb": true },
  prototype: JSON.parse('{"__proto__": {"polluted": true}, "constructor": false}') as Json,
  turned: { text: "a\u202e}\u2066\u200b\u00ad\ufeff\u061cb" },
  letters: { text: "grüße 你好 🎉 \ud800", numbers: [0, -1.5, 1e300, 1e-7, 123456789012345] },
  dashes: "--output /etc/passwd @/etc/passwd",
  interpolation: "{x} {{y}} %(z)s #{q} <<JSON",
  empty: { list: [], object: {}, text: "", none: null },
  deep: nested(400),
  long: { text: "x'".repeat(120_000) },
};

const call = (input: Json, headers: RunCall["headers"] = {}): RunCall => ({
  url: "http://127.0.0.1:2024/it's",
  threadId: "t/'\"$(id)",
  headers: { "x-api-key": [{ env: "API_KEY" }], ...headers },
  body: bodyOf(input),
});
const tenant = { "X-Team": headerValue("it's `${env:TEAM}` $HOME \"!"), "X-Empty": headerValue("") };
const environment = { ...process.env, API_KEY: "the $(key)'\"", TEAM: "blue $(id)" };
const sentHeaders = {
  "x-api-key": environment.API_KEY,
  "X-Team": `it's \`${environment.TEAM}\` $HOME "!`,
  "X-Empty": "",
};

describe("A run as code", () => {
  for (const [name, input] of Object.entries(hostile)) {
    for (const shell of ["sh", "bash"])
      it(`is one command of ${shell} with the very same request: ${name}`, () => {
        const { words, typed } = inShell(shell, curlCode(call(input, tenant)));
        const [flag, address, ...others] = words;
        equal(flag, "--no-buffer");
        equal(address, "http://127.0.0.1:2024/it's/threads/t%2F'%22%24(id)/runs/stream");
        const headers = others.slice(0, 8).filter((word) => word !== "--header");
        deepEqual(headers, [
          "content-type: application/json",
          ...Object.entries(sentHeaders).map(([header, value]) => `${header}: ${value}`),
        ]);
        const data = others.slice(8);
        const text = data[0] === "--data-raw" ? data[1] : typed;
        deepEqual(data.length, 2);
        equal(JSON.stringify(JSON.parse(text ?? "")), JSON.stringify(bodyOf(input)));
      });

    it(`is TypeScript with the very same request: ${name}`, async () => {
      const { config, args } = await inModule(typescriptCode(call(input, tenant)));
      const { "x-api-key": apiKey, ...defaultHeaders } = sentHeaders;
      deepEqual(JSON.parse(JSON.stringify(config)), {
        apiUrl: "http://127.0.0.1:2024/it's",
        apiKey,
        defaultHeaders,
      });
      const { assistant_id: assistantId, input: given, config: told } = bodyOf(input);
      const payload = { input: given, streamMode: ["values"], streamSubgraphs: true, config: told };
      equal(JSON.stringify(args), JSON.stringify(["t/'\"$(id)", assistantId, payload]));
    });

    it(`is Python in which what was given is nothing but text: ${name}`, () => {
      const code = pythonCode(call(input, tenant));
      // Whatever was given stands within texts; what is left is ours.
      const bare = code.replace(/"(?:[^"\\\n]|\\.)*"/g, "…");
      match(bare, /^[\w\s.…,:=()[\]{}+-]*$/);
      doesNotMatch(bare, /owned|exit|polluted|core/);
    });
  }

  it("is Python with the very same requests, where there is a Python", function () {
    const inputs = Object.values(hostile);
    const { "x-api-key": key, ...headers } = sentHeaders;
    const all = inPython(inputs.map((input) => pythonCode(call(input, tenant)))) ?? this.skip();
    equal(all.length, inputs.length);
    all.forEach((seen, index) => {
      deepEqual(seen.client, { url: "http://127.0.0.1:2024/it's", api_key: key, headers });
      const { assistant_id: assistantId, ...payload } = bodyOf(inputs[index] ?? null);
      deepEqual(seen.args, ["t/'\"$(id)", assistantId]);
      deepEqual(seen.payload, JSON.parse(JSON.stringify(payload)));
    });
  });

  it("names no key where the connection has none", () => {
    const open = { ...call("Hi"), headers: {} };
    for (const code of [curlCode(open), typescriptCode(open), pythonCode(open)])
      doesNotMatch(code, /API_KEY|import os|defaultHeaders|headers=/);
  });

  it("shows what can't be seen, and what turns the text around", () => {
    for (const code of [curlCode, typescriptCode, pythonCode])
      match(code(call(hostile["turned"] ?? null)), /a\\u202e}\\u2066\\u200b\\u00ad\\ufeff\\u061cb/);
  });

  it("takes a variable of the environment only by a name that can be one", () => {
    deepEqual(headerValue("Bearer ${env:TOKEN}"), [{ text: "Bearer " }, { env: "TOKEN" }]);
    deepEqual(headerValue("${env:a;id} ${env:}"), [{ text: "${env:a;id} ${env:}" }]);
  });
});

/** The words that a shell hands to curl, and what it gives it to read. */
function inShell(shell: string, code: string): { readonly words: readonly string[]; readonly typed: string } {
  const script = `curl() { for word; do printf '%s\\0' "$word"; done; printf '\\1'; cat; }\n${code}`;
  const { stdout, status, stderr } = spawnSync(shell, { input: script, env: environment });
  equal(status, 0, String(stderr));
  const [words = "", typed = ""] = String(stdout).split("\u0001");
  return { words: words.split("\0").slice(0, -1), typed };
}

interface Called {
  readonly config: unknown;
  readonly args: readonly unknown[];
}

/** What a module of the SDK was called with. */
async function inModule(code: string): Promise<Called> {
  const [line, ...lines] = code.split("\n");
  equal(line, 'import { Client } from "@langchain/langgraph-sdk";');
  let called: Called | undefined;
  class Client {
    readonly runs: object;
    constructor(config: unknown) {
      this.runs = { stream: (...args: unknown[]) => ((called = { config, args }), []) };
    }
  }
  const body = `(async () => {${lines.join("\n")}})()`;
  await (runInNewContext(body, { Client, process: { env: environment }, console }) as Promise<void>);
  return called ?? { config: undefined, args: [] };
}

interface Seen {
  readonly client: unknown;
  readonly args: unknown;
  readonly payload: unknown;
}

/** What the Python SDK was called with by each of the scripts; undefined where there is no Python. */
function inPython(scripts: readonly string[]): readonly Seen[] | undefined {
  const stub = [
    "import json, sys, types",
    "seen = []",
    "class Runs:",
    "    def stream(self, *args, **payload):",
    "        seen[-1].update(args=args, payload=payload)",
    "        return []",
    "def get_sync_client(**client):",
    "    seen.append({'client': client})",
    "    return types.SimpleNamespace(runs=Runs())",
    "sys.modules['langgraph_sdk'] = types.SimpleNamespace(get_sync_client=get_sync_client)",
    "for script in json.load(sys.stdin):",
    "    exec(compile(script, 'run.py', 'exec'), {})",
    "print(json.dumps(seen))",
  ].join("\n");
  const { stdout, stderr, status, error } = spawnSync("python3", ["-c", stub], {
    input: JSON.stringify(scripts),
    env: environment,
    maxBuffer: 10_000_000,
  });
  if (error !== undefined) return undefined;
  equal(status, 0, String(stderr));
  return JSON.parse(String(stdout)) as readonly Seen[];
}
