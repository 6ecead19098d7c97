import { deepEqual, ok } from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { everyNode, type Node, parsed } from "../support/syntax.ts";
import type { Noun } from "../../src/editor/kit/ids.ts";

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly viewsWelcome: readonly { readonly contents: string }[];
    readonly configuration: unknown;
    readonly walkthroughs: readonly {
      readonly title: string;
      readonly description: string;
      readonly steps: readonly {
        readonly title: string;
        readonly description: string;
        readonly media: { readonly altText: string };
      }[];
    }[];
  };
}

const root = join(import.meta.dirname, "../..");
const { contributes } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;

/** The word by which a title says what its command is about. */
const nouns: Readonly<Record<Noun, RegExp>> = {
  activity: /Activit(y|ies)/,
  agent: /Agent/,
  agentFile: /Agent File/,
  agents: /Agent/,
  agentThread: /Thread/,
  agentThreads: /Threads/,
  audit: /Audit Log/,
  bulk: /Deployments|Threads|Bulk/,
  comparison: /Compare|Same Input/,
  connection: /Connection|API Key/,
  deployment: /Deployment/,
  deployments: /Deployment/,
  destination: /Destination/,
  destinations: /Destinations/,
  exportJob: /Export/,
  exportRun: /Exported/,
  graph: /Graph/,
  graphs: /Graphs/,
  node: /Node/,
  failure: /Failure/,
  failures: /Failures/,
  inbox: /Waiting|Inbox|Thread/,
  input: /Input/,
  issue: /Issue/,
  issues: /Issue/,
  localPlatform: /Local Platform/,
  log: /Extension Log/,
  revision: /Revision/,
  revisionLog: /Log/,
  revisions: /Revisions/,
  run: /Run/,
  runPanel: /Run|Composer|Message/,
  thread: /Thread|State/,
  threads: /Thread/,
  token: /Token/,
  tool: /Tool/,
  toolServer: /Tool Server|OAuth Provider/,
  toolServers: /Tool/,
  webhook: /Webhook|Signing Secret/,
};

/** A name that its owners begin with a small letter. */
const name = /^cURL$/;
/** Words that are small in a title, but for its first word. */
const small = /^(a|an|and|as|at|by|for|from|in|of|on|or|the|to|with|without)$/;

describe("The texts: titles of commands", () => {
  const titles = contributes.commands.map(({ command, title }) => ({
    noun: command.split(".")[1] as Noun,
    title,
  }));

  it("say what they are about", () => {
    deepEqual(
      titles.flatMap(({ noun, title }) => (nouns[noun].test(title) ? [] : [`${noun}: ${title}`])),
      [],
    );
  });

  it("have large first letters, and no end but an ellipsis where something is asked", () => {
    const isTitle = (title: string): boolean =>
      /^[A-Z][^.!?:"]*[A-Za-z]…?$/.test(title) &&
      title
        .split(" ")
        .every((word, index) => /^[A-Z]/.test(word) || name.test(word) || (index > 0 && small.test(word)));
    deepEqual(
      titles.map(({ title }) => title).filter((title) => !isTitle(title)),
      [],
    );
  });

  it("are short enough for a menu", () => {
    deepEqual(
      titles.map(({ title }) => title).filter((title) => title.length > 48),
      [],
    );
  });
});

describe("The texts: sentences", () => {
  const links = /^\[([^\]]+)\]\(command:[^)]+\)$/;
  const lines = [
    ...contributes.viewsWelcome.map(({ contents }) => contents),
    ...contributes.walkthroughs.flatMap(({ description, steps }) => [
      description,
      ...steps.flatMap((step) => [step.description, step.media.altText]),
    ]),
  ].flatMap((text) => text.split("\n"));

  it("of settings, empty views and walkthroughs each end with one full stop", () => {
    const sentences = [
      ...descriptionsIn(contributes.configuration),
      ...lines.filter((line) => !links.test(line)),
    ];
    deepEqual(
      sentences.filter((text) => !/^[A-Z*].*[^.\s]\.$/.test(text) || /\.\.| {2}|[!]|"| \./.test(text)),
      [],
    );
  });

  it("leave buttons and headings without one", () => {
    const headings = [
      ...lines.flatMap((line) => links.exec(line)?.[1] ?? []),
      ...contributes.walkthroughs.flatMap(({ title, steps }) => [title, ...steps.map((step) => step.title)]),
    ];
    deepEqual(
      headings.filter((text) => !/^[A-Z].*\w$/.test(text)),
      [],
    );
  });

  it("put names between “ and ”, but in JSON and HTML", () => {
    const other = /agentSettings|webviewPage/;
    const files = globSync("src/{api,editor}/**/*.ts", { cwd: root }).filter((file) => !other.test(file));
    const straight = files.flatMap((file) => {
      const found = readFileSync(join(root, file), "utf8").match(/[^=]"\$\{(?!env:|")[^\n]*/g) ?? [];
      return found.map((text) => `${file}: ${text}`);
    });
    deepEqual(straight, []);
  });
});

describe("Notifications, questions and errors", () => {
  const texts = globSync("src/editor/**/*.ts", { cwd: root }).flatMap((file) => saidIn(file));

  it("are found where they are made", () => {
    ok(texts.length > 60, String(texts.length));
  });

  it("end as a sentence does, once", () => {
    // What stands at an end is a sentence of its own, or what another program said.
    const whole = /([.?…]|\$\{[^}]*\})$/;
    deepEqual(
      texts.filter(({ text }) => text !== "" && (!whole.test(text) || /\.\.| {2}|!$/.test(text))),
      [],
    );
  });

  it("say names instead of ids, and nothing of how it is built", () => {
    const inside = /\b(undefined|null|namespace|payload|webview|extension host|UUID|endpoint|SSE|errno)\b/i;
    const words = (text: string): string => text.replaceAll(/\$\{[^}]*\}/g, "");
    deepEqual(
      texts.filter(({ text }) => /\$\{[\w.]*\b(id|[a-z]+Id)\}/.test(text) || inside.test(words(text))),
      [],
    );
  });

  it("say what to do where they are errors", () => {
    deepEqual(
      texts.filter(({ kind, text }) => kind === "remedy" && !/^([A-Z]|\$\{).{8,}/.test(text)),
      [],
    );
  });
});

interface Said {
  readonly file: string;
  readonly kind: "notification" | "error" | "remedy";
  readonly text: string;
}

/** What the file says in notifications, questions and errors with a remedy, as it is written there. */
function saidIn(file: string): readonly Said[] {
  const source = readFileSync(join(root, file), "utf8");
  const textOf = ({ start, end }: Node): string => source.slice(start, end);
  const said: Said[] = [];
  const take = (kind: Said["kind"], node: Node | undefined): void => {
    if (node !== undefined) said.push(...literals(node, textOf).map((text) => ({ file, kind, text })));
  };
  for (const node of everyNode(parsed(file, source))) {
    if (node.type !== "CallExpression" && node.type !== "NewExpression") continue;
    const [first, second] = node.arguments;
    const name = textOf(node.callee);
    if (/^(show(Information|Warning|Error)|confirm)$/.test(name)) take("notification", first);
    if (name === "confirm") take("notification", second);
    if (!/^(Remediable|Parquet)Error$/.test(name)) continue;
    take("error", first);
    if (second?.type !== "ObjectExpression") take("remedy", second);
    else
      for (const property of second.properties)
        if (property.type === "Property" && textOf(property.key) === "remedy") take("remedy", property.value);
  }
  return said;
}

function literals(node: Node, textOf: (node: Node) => string): readonly string[] {
  if (node.type === "Literal") return typeof node.value === "string" ? [node.value] : [];
  if (node.type === "TemplateLiteral") return [textOf(node).slice(1, -1)];
  return node.type === "ConditionalExpression"
    ? [...literals(node.consequent, textOf), ...literals(node.alternate, textOf)]
    : [];
}

/** Every description in a part of the manifest, at any depth. */
function descriptionsIn(part: unknown): readonly string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([name, value]): readonly string[] => {
    if (/^(markdownD|d)escription$/.test(name)) return [String(value)];
    if (name === "enumDescriptions") return (value as readonly string[]).map(String);
    return descriptionsIn(value);
  });
}
