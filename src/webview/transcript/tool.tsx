import type { ToolEntry } from "../../run/panel/transcript.ts";
import { Disclosure } from "../controls/disclosure.tsx";
import { Literal } from "../controls/literal.tsx";
import { LongText } from "../controls/longText.tsx";
import { elapsed } from "../measures.ts";
import { visibleText } from "../visibleText.ts";
import { useClock } from "./clock.ts";
import { Status } from "./status.tsx";

const words: Readonly<Record<ToolEntry["status"], string>> = {
  pending: "pending",
  running: "running",
  done: "done",
  error: "error",
  stopped: "stopped",
};

/** A tool call on one line; opened, its arguments and its result. */
export function Tool({ tool }: { readonly tool: ToolEntry }) {
  const now = useClock(tool.status === "running" && tool.startedAt !== undefined);
  const time = elapsed(tool.startedAt, tool.endedAt, now);
  const summary = (
    <>
      <span class="codicon codicon-tools" aria-hidden="true" />
      <span class="tool-name">
        <Literal text={tool.name} />
      </span>
      <span class="preview code">{visibleText(tool.args.slice(0, 240).replace(/\s+/g, " "))}</span>
      {time !== undefined && <span class="fact">{time}</span>}
      <Status status={words[tool.status]} />
    </>
  );
  return (
    <Disclosure id={tool.id} class={`card tool tool-${tool.status}`} summary={summary}>
      {() => <Call tool={tool} />}
    </Disclosure>
  );
}

function Call({ tool }: { readonly tool: ToolEntry }) {
  return (
    <>
      <div class="part-label">Arguments</div>
      {tool.args === "" ? <p class="none">None so far</p> : <LongText text={tool.args} label="arguments" />}
      <div class="part-label">{tool.status === "error" ? "Error" : "Result"}</div>
      {tool.result === undefined ? (
        <p class="none">{tool.status === "stopped" ? "None: the run was stopped" : "None so far"}</p>
      ) : (
        <LongText text={tool.result} label={tool.status === "error" ? "error" : "result"} />
      )}
    </>
  );
}
