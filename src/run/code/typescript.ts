import { type HeaderValue, keyVariable, quoted, type RunCall } from "./call.ts";
import { jsonSpelling, literal, type Spelling } from "./literal.ts";

/** A member that is named so would change what the object is. */
const spelling: Spelling = {
  ...jsonSpelling,
  name: (name) => (name === "__proto__" ? `["__proto__"]` : quoted(name)),
};

/** A run by the platform's TypeScript SDK, as a module. */
export function typescriptCode({ url, threadId, headers, body }: RunCall): string {
  const { "x-api-key": key, ...others } = headers;
  const { assistant_id: assistantId, ...payload } = body;
  const client = [
    `  apiUrl: ${quoted(url)},`,
    ...(key === undefined ? [] : [`  apiKey: process.env.${keyVariable},`]),
    ...headerLines(others),
  ];
  const options = Object.entries(payload).map(
    ([name, value]) => `  ${camelCase(name)}: ${literal(value, spelling, "  ")},`,
  );
  return [
    `import { Client } from "@langchain/langgraph-sdk";`,
    "",
    "const client = new Client({",
    ...client,
    "});",
    `const events = client.runs.stream(${quoted(threadId)}, ${quoted(assistantId)}, {`,
    ...options,
    "});",
    "for await (const { event, data } of events) console.log(event, JSON.stringify(data));",
    "",
  ].join("\n");
}

function headerLines(headers: RunCall["headers"]): readonly string[] {
  const lines = Object.entries(headers).map(([name, value]) => `    ${quoted(name)}: ${textOf(value)},`);
  return lines.length === 0 ? [] : ["  defaultHeaders: {", ...lines, "  },"];
}

function textOf(value: HeaderValue): string {
  const parts = value.map((part) => ("env" in part ? `(process.env.${part.env} ?? "")` : quoted(part.text)));
  return parts.join(" + ") || '""';
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
