import { equal } from "node:assert/strict";
import { withoutSecrets } from "../../../src/api/withoutSecrets.ts";

const key = "lsv2_pt_3f9c+1/b7";
const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

describe("An error's text without what authorized the request", () => {
  const cases: readonly (readonly [
    what: string,
    headers: Record<string, string>,
    said: string,
    shown: string,
  ])[] = [
    ["a key as it is", { "x-api-key": key }, `no key ${key}!`, "no key ***!"],
    ["a key without its scheme", { Authorization: `Bearer ${key}` }, `bad ${key}`, "bad ***"],
    ["a key with its scheme", { Authorization: `Bearer ${key}` }, `bad Bearer ${key}`, "bad ***"],
    ["a key in an address", { "x-api-key": key }, `/x?k=${encodeURIComponent(key)}&a=1`, "/x?k=***&a=1"],
    ["a key in hex", { "x-api-key": key }, `(${Buffer.from(key).toString("hex")})`, "(***)"],
    [
      "a key in upper-case hex",
      { "x-api-key": key },
      `(${Buffer.from(key).toString("hex").toUpperCase()})`,
      "(***)",
    ],
    [
      "the password of basic authorization",
      { authorization: basic("me:correct horse") },
      "no correct horse",
      "no ***",
    ],
    ["a user and a password", { authorization: basic("me:correct horse") }, "no me:correct horse", "no ***"],
    [
      "basic authorization as it was sent",
      { authorization: basic("me:correct horse") },
      basic("me:correct horse"),
      "***",
    ],
    [
      "what says nothing of who asks",
      { accept: "application/json", "User-Agent": "agent-operations" },
      "no application/json for agent-operations",
      "no application/json for agent-operations",
    ],
    ["a secret of seven characters, which is too common", { cookie: "sid=abc" }, "sid=abc", "sid=abc"],
    ["a secret of eight characters", { cookie: "sid=abcd" }, "no sid=abcd", "no ***"],
  ];
  for (const [what, headers, said, shown] of cases)
    it(`treats ${what}`, () => equal(withoutSecrets(said, headers), shown));

  it("hides a key in base64, wherever in a longer text that was encoded, also as it is written in addresses", () => {
    for (const before of ["", "k", "k:", "key:"])
      for (const behind of ["", "!", "!!"])
        for (const form of ["base64", "base64url"] as const) {
          const told = Buffer.from(before + key + behind).toString(form);
          const shown = withoutSecrets(`said ${told} here`, { "x-api-key": key });
          equal(shown.includes("***"), true, told);
          // What is left gives none of the key away.
          const left = shown.replace(/^said | here$/g, "").replace("***", "");
          equal(Buffer.from(left, "base64").toString().includes(key.slice(0, 4)), false, shown);
        }
  });
});
