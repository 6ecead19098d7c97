import type { Entry } from "../../src/run/panel/transcript.ts";

/** A run of about 100,000 events: 5,000 messages of all sizes, with tool calls, custom events and two lanes between. */
export function hugeRun(): readonly Entry[] {
  const entries: Entry[] = [
    { kind: "run", id: "run", runId: "run", assistantId: "flood", status: "running", startedAt: 0 },
    ...(["a", "b"] as const).map((name): Entry => ({
      kind: "lane",
      id: `lane:${name}`,
      runId: "run",
      lane: `${name}:1`,
      parent: "",
      name: `worker ${name}`,
      status: "running",
    })),
  ];
  for (let index = 0; index < 5000; index++) {
    const lane = ["", "", "a:1", "b:1"][index % 4]!;
    entries.push({
      kind: "message",
      id: `m-${index}`,
      runId: "run",
      lane,
      role: "ai",
      text: textOf(index),
      streaming: false,
    });
    if (index % 5 === 0) entries.push(toolOf(index, lane));
    if (index % 50 === 0) {
      const latest = { progress: index / 5000, step: index };
      entries.push({
        kind: "custom",
        id: `c-${index}`,
        runId: "run",
        lane,
        count: 900,
        latest,
        firstEvent: index * 20,
      });
    }
  }
  return entries;
}

function toolOf(index: number, lane: string): Entry {
  const args = JSON.stringify({ query: `question ${index}`, limit: 20 });
  const result = JSON.stringify(Array.from({ length: 20 }, (_, row) => ({ row, score: row / 20 })));
  return { kind: "tool", id: `t-${index}`, runId: "run", lane, name: "search", args, result, status: "done" };
}

function textOf(index: number): string {
  const sentence = `Step ${index} looks at **shard ${index % 64}** and finds \`${index * 7}\` rows. `;
  if (index % 20 === 7)
    return `${sentence}\n\n\`\`\`sql\nselect *\nfrom orders\nwhere id = ${index};\n\`\`\``;
  if (index % 20 === 11) return `| a | b |\n|-|-|\n${`| ${index} | ${index + 1} |\n`.repeat(8)}`;
  return sentence.repeat(1 + (index % 4));
}
