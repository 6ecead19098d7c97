/** Entries on one line that open to show the rest: tool calls, custom events, notices. */

import type { Json } from "../../run/panel/messages.ts";
import { namesOf } from "../../run/panel/graphMarks.ts";
import type { CustomEntry, NoticeEntry, ToolEntry } from "../../run/panel/transcript.ts";
import { Button } from "../controls/button.tsx";
import { Disclosure } from "../controls/disclosure.tsx";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { LongText } from "../controls/longText.tsx";
import { OpenCode } from "../controls/openCode.tsx";
import { Pictures } from "../controls/picture.tsx";
import { plural } from "../kit/measures.ts";
import { visibleText } from "../kit/visibleText.ts";
import { Status, useElapsed } from "./status.tsx";

/** A tool call on one line; opened, its arguments and its result. */
export function Tool({ tool }: { readonly tool: ToolEntry }) {
  const time = useElapsed(tool.status === "running", tool);
  const summary = (
    <>
      <span class="codicon codicon-tools" aria-hidden="true" />
      <Literal class="tool-name" text={tool.name} />
      <span class="preview code">{visibleText(tool.args.slice(0, 240).replace(/\s+/g, " "))}</span>
      {tool.pictures !== undefined && (
        <span class="fact">
          <Icon name="file-media" /> {plural(tool.pictures.length, "picture")}
        </span>
      )}
      {time !== undefined && <span class="fact">{time}</span>}
      <Status status={tool.status} />
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
      <div class="part-label">
        Arguments <OpenCode source={{ of: "tool", path: [tool.name], runId: tool.runId }} />
      </div>
      {tool.args === "" ? <p class="none">None so far</p> : <LongText text={tool.args} label="Arguments" />}
      <div class="part-label">{tool.status === "error" ? "Error" : "Result"}</div>
      {tool.result === undefined ? (
        <p class="none">{tool.status === "stopped" ? "None: the run was stopped" : "None so far"}</p>
      ) : (
        <LongText text={tool.result} label={tool.status === "error" ? "Error" : "Result"} />
      )}
      <Pictures pictures={tool.pictures} />
      {tool.artifact !== undefined && (
        <>
          <div class="part-label">Artifact</div>
          <LongText text={tool.artifact} label="Artifact" />
        </>
      )}
    </>
  );
}

/** Events of the agent's own, on one line: how many, the latest, and a bar when it reports progress. */
export function Custom({
  custom,
  onEvent,
}: {
  readonly custom: CustomEntry;
  readonly onEvent: (index: number) => void;
}) {
  const text = JSON.stringify(custom.latest);
  const progress = progressOf(custom.latest);
  const summary = (
    <>
      <span class="codicon codicon-pulse" aria-hidden="true" />
      <span class="tool-name">{plural(custom.count, "custom event")}</span>
      {progress !== undefined && (
        <progress value={progress} max={1} aria-label="Progress" title={`${Math.round(progress * 100)} %`} />
      )}
      <span class="preview code">{visibleText(text.slice(0, 240))}</span>
    </>
  );
  return (
    <Disclosure id={custom.id} class="card custom" summary={summary}>
      {() => (
        <>
          <div class="part-label">Latest</div>
          <LongText text={text} label="Latest Custom Event" />
          <Button kind="link" onClick={() => onEvent(custom.firstEvent)}>
            Show in Events
          </Button>
        </>
      )}
    </Disclosure>
  );
}

/** A share from 0 to 1, as agents commonly report it: a fraction, a percentage, or one number of another. */
function progressOf(value: Json): number | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const fields = new Map<string, Json | undefined>(Object.entries(value));
  const number = (...keys: string[]): number | undefined =>
    keys.map((key) => fields.get(key)).find((found) => typeof found === "number");
  const percent = number("percent", "percentage");
  if (percent !== undefined) return bounded(percent / 100);
  const done = number("progress", "current", "step", "completed", "done");
  const total = number("total", "max", "steps");
  if (done === undefined) return undefined;
  if (total !== undefined && total > 0) return bounded(done / total);
  if (!fields.has("progress")) return undefined;
  return bounded(done > 1 ? done / 100 : done);
}

function bounded(share: number): number {
  return Math.min(1, Math.max(0, share));
}

/** Something the user should know; its evidence one click away. */
export function Notice({ notice }: { readonly notice: NoticeEntry }) {
  const { detail } = notice;
  const line = (
    <>
      <Icon name={notice.level} />
      <Literal class="notice-text" text={notice.text} files={detail === undefined} />
      {notice.node !== undefined && (
        <span class="fact">
          in <Literal text={notice.node} />
        </span>
      )}
    </>
  );
  if (detail === undefined)
    return (
      <div class={`notice ${notice.level}`}>
        {line}
        {notice.node !== undefined && (
          <OpenCode
            source={{ of: "node", path: [...namesOf(notice.lane), notice.node], runId: notice.runId }}
          />
        )}
      </div>
    );
  return (
    <Disclosure id={notice.id} class={`notice ${notice.level}`} summary={line}>
      {() => <LongText text={detail} label="Details" />}
    </Disclosure>
  );
}
