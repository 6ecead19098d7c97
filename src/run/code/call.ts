/** A run as the one request that starts it, from which code is written that starts it elsewhere. */

import type { RunCreate } from "../../api/agentServer/wire.ts";

/** The request of one run. */
export interface RunCall {
  /** The server's address. */
  readonly url: string;
  readonly threadId: string;
  /** Beside the content type, by their names. */
  readonly headers: Readonly<Record<string, HeaderValue>>;
  readonly body: RunCreate;
}

/** Texts and the names of environment variables, one after the other: a secret is only ever named. */
export type HeaderValue = readonly ({ readonly text: string } | { readonly env: string })[];

/** Where whoever runs the code has the key. */
export const keyVariable = "API_KEY";

/** A header as settings have it: `${env:NAME}` stands for a variable. */
export function headerValue(text: string): HeaderValue {
  const parts = text.split(/\$\{env:([A-Za-z_]\w*)\}/);
  return parts.flatMap((part, index) =>
    index % 2 === 1 ? { env: part } : part === "" ? [] : { text: part },
  );
}

/** A text as JSON, which is a text in TypeScript and Python, too; what can't be seen, or turns what is read around, is escaped. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(unseen, (letter) => {
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

const unseen = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
