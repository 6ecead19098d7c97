import { equal } from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { bounded } from "./bounded.ts";
import type { AnswerReport, AskedAnswer } from "./answerReader.ts";

const mb = 1024 * 1024;

interface Attack {
  /** Writes the answer, or as much of it as somebody reads. */
  readonly answer: (response: ServerResponse) => Promise<void>;
  readonly stream?: boolean;
  readonly kind: string;
  readonly mostMs: number;
}

/** Answers that are too much, and how the call has to end. */
const attacks: Readonly<Record<string, Attack>> = {
  "3 GB of JSON text": {
    answer: (response) => filled(response, 3000),
    kind: "answerTooLarge",
    mostMs: 10_000,
  },
  "3 GB that are announced": {
    answer: (response) => {
      response.setHeader("content-length", 3000 * mb);
      return filled(response, 3000);
    },
    kind: "answerTooLarge",
    mostMs: 3000,
  },
  "540 MB, longer than a string may be": {
    answer: (response) => filled(response, 540),
    kind: "answerTooLarge",
    mostMs: 10_000,
  },
  "60 MB of empty objects": {
    answer: async (response) => {
      response.write("[");
      for (let written = 0; written < 60; written += 1) await piece(response, "{},".repeat(mb / 3));
      response.end("{}]");
    },
    kind: "answerTooLarge",
    mostMs: 20_000,
  },
  "60 MB of text in one value": { answer: (response) => filled(response, 60), kind: "value", mostMs: 20_000 },
  "8 MB of empty objects": {
    answer: async (response) => {
      response.write("[");
      for (let written = 0; written < 7; written += 1) await piece(response, "{},".repeat(mb / 3));
      response.end("{}]");
    },
    kind: "value",
    mostMs: 20_000,
  },
  "a redirect whose body never ends": {
    answer: (response) => drip(response.writeHead(302, { location: "https://elsewhere.example.com/" })),
    kind: "redirected",
    mostMs: 8000,
  },
  "a redirect on a stream whose body never ends": {
    answer: (response) => drip(response.writeHead(302, { location: "https://elsewhere.example.com/" })),
    stream: true,
    kind: "redirected",
    mostMs: 8000,
  },
  "a redirect with 3 GB": {
    answer: (response) =>
      filled(response.writeHead(302, { location: "https://elsewhere.example.com/" }), 3000),
    kind: "redirected",
    mostMs: 8000,
  },
  "an error whose body never ends": {
    answer: (response) => drip(response.writeHead(422)),
    stream: true,
    kind: "invalid",
    mostMs: 8000,
  },
};

describe("An answer that is too much", () => {
  let server: Server;
  let asked = 0;
  let attack: Attack;

  before(async () => {
    server = createServer((_, response) => {
      asked += 1;
      response.on("error", () => undefined);
      void attack.answer(response).catch(() => undefined);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  for (const [name, tried] of Object.entries(attacks)) {
    it(`ends within bounds: ${name}`, async () => {
      attack = tried;
      asked = 0;
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const input: AskedAnswer = { url, stream: tried.stream ?? false };
      const work = { file: join(import.meta.dirname, "answerReader.ts"), name: "readAnswer", input };
      const outcome = await bounded<AnswerReport>(work, { ms: tried.mostMs, mb: 500 });
      console.log(`      ${outcome.ms} ms, blocked ${outcome.blockedMs} ms, ${outcome.mb} MB`);
      equal(outcome.value.kind, tried.kind);
      equal(asked, 1);
    });
  }
});

async function filled(response: ServerResponse, size: number): Promise<void> {
  const text = "x".repeat(mb);
  response.write('"');
  for (let written = 0; written < size; written += 1) await piece(response, text);
  response.end('"');
}

async function drip(response: ServerResponse): Promise<void> {
  while (!response.destroyed) {
    await piece(response, "x");
    await delay(50);
  }
}

async function piece(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed) throw new Error("nobody reads on");
  if (response.write(text)) return;
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]);
  over.abort();
}
