/** What an agent asks to be allowed to do, and the decisions about it. */

import type { ComponentChildren } from "preact";

import type { ActionRequest, Decision, DecisionType, InterruptEntry } from "../../run/panel/transcript.ts";
import { Button } from "../controls/button.tsx";
import { Literal } from "../controls/literal.tsx";
import { Markdown } from "../controls/markdown.tsx";
import { onEnter } from "../kit/enter.ts";
import { post, useSent } from "../kit/host.ts";
import { plural } from "../kit/measures.ts";
import type { IconName } from "../kit/icons.ts";
import { useUniqueId } from "../kit/uniqueId.ts";
import { ArgumentsEditor, editedArguments, type ArgumentsDraft } from "./argumentsEditor.tsx";
import { Values } from "./values.tsx";

interface DecisionsProps {
  readonly interrupt: InterruptEntry;
  readonly drafts: readonly DecisionDraft[];
  readonly onDrafts: (drafts: readonly DecisionDraft[]) => void;
  /** Shown between the requests and the button. */
  readonly children: ComponentChildren;
}

/** The requested actions, one after the other; all decisions go together, the approval of a single one at once. */
export function Decisions({ interrupt, drafts, onDrafts, children }: DecisionsProps) {
  const { requests } = interrupt;
  const [sent, noteSent] = useSent(interrupt, "decide");
  const single = requests.length === 1;
  const draftOf = (index: number): DecisionDraft => drafts[index] ?? {};
  const decided = requests
    .map((request, index) => decisionOf(request, draftOf(index)))
    .filter((decision) => decision !== undefined);
  const send = (decisions: readonly Decision[]) => {
    if (sent) return;
    noteSent();
    post({ type: "decide", interruptId: interrupt.id, decisions });
  };
  const sendAll = () => {
    if (decided.length === requests.length) send(decided);
  };
  const change = (index: number, part: Partial<DecisionDraft>) =>
    onDrafts(requests.map((_, at) => (at === index ? { ...draftOf(at), ...part } : draftOf(at))));
  const { choice } = draftOf(0);
  const needsButton = !single || (choice !== undefined && choice !== "approve");
  return (
    <>
      {requests.map((request, index) => (
        <Request
          key={index}
          request={request}
          position={single ? undefined : `${index + 1} of ${requests.length}`}
          draft={draftOf(index)}
          onDraft={(part) => change(index, part)}
          onApproveOnly={single ? () => send([{ type: "approve" }]) : undefined}
          onSend={sendAll}
        />
      ))}
      {children}
      {needsButton && (
        <div class="card-foot">
          <Button
            kind="primary"
            icon="send"
            disabled={sent || decided.length < requests.length}
            onClick={sendAll}
          >
            {single ? "Send" : `Send ${plural(requests.length, "Decision")}`}
          </Button>
          {!single && decided.length < requests.length && (
            <span class="fact">
              {decided.length} of {requests.length} decided
            </span>
          )}
        </div>
      )}
    </>
  );
}

const buttons: Readonly<Record<DecisionType, { readonly label: string; readonly icon: IconName }>> = {
  approve: { label: "Approve", icon: "check" },
  edit: { label: "Edit", icon: "edit" },
  reject: { label: "Reject", icon: "close" },
  respond: { label: "Respond", icon: "reply" },
};

interface RequestProps {
  readonly request: ActionRequest;
  /** "1 of 3" among several requests. */
  readonly position: string | undefined;
  readonly draft: DecisionDraft;
  readonly onDraft: (part: Partial<DecisionDraft>) => void;
  /** Sends an approval at once; undefined when several decisions go together. */
  readonly onApproveOnly: (() => void) | undefined;
  /** Sends what is decided, if that is all. */
  readonly onSend: () => void;
}

/** One action that an agent asks to take: what it is, and the answers that are allowed. */
function Request({ request, position, draft, onDraft, onApproveOnly, onSend }: RequestProps) {
  const title = useUniqueId();
  const choose = (choice: DecisionType) => {
    if (choice === "approve" && onApproveOnly !== undefined) onApproveOnly();
    else onDraft({ choice });
  };
  return (
    <div class="request" role="group" aria-labelledby={title}>
      <div class="request-title" id={title}>
        {position !== undefined && <span class="fact">{position}</span>}
        <Literal class="tool-name" text={request.name} />
      </div>
      {request.description !== undefined && <Markdown text={request.description} />}
      {draft.choice === "edit" ? (
        <ArgumentsEditor args={request.args} draft={draft} onDraft={onDraft} />
      ) : (
        <Values value={request.args} label="Arguments" />
      )}
      <div class="choices">
        {request.allowed.map((choice) => (
          <Button
            key={choice}
            icon={buttons[choice].icon}
            kind={choice === "approve" && draft.choice === undefined ? "primary" : "secondary"}
            pressed={
              choice === "approve" && onApproveOnly !== undefined ? undefined : draft.choice === choice
            }
            onClick={() => choose(choice)}
          >
            {buttons[choice].label}
          </Button>
        ))}
      </div>
      <Words draft={draft} onDraft={onDraft} onSend={onSend} />
    </div>
  );
}

function Words({ draft, onDraft, onSend }: Pick<RequestProps, "draft" | "onDraft" | "onSend">) {
  const id = useUniqueId();
  if (draft.choice !== "reject" && draft.choice !== "respond") return null;
  return (
    <div class="field">
      <label for={id}>{draft.choice === "reject" ? "Reason for the agent (optional)" : "Response"}</label>
      <textarea
        id={id}
        class="input"
        rows={2}
        value={draft.message ?? ""}
        onInput={(event) => onDraft({ message: event.currentTarget.value })}
        onKeyDown={onEnter(onSend)}
      />
    </div>
  );
}

/** What the user has chosen and typed for one action request so far. */
export interface DecisionDraft extends ArgumentsDraft {
  readonly choice?: DecisionType;
  readonly message?: string;
}

/** The decision that goes to the server; undefined while something is missing. */
function decisionOf(request: ActionRequest, draft: DecisionDraft): Decision | undefined {
  const message = draft.message?.trim() ?? "";
  switch (draft.choice) {
    case undefined:
      return undefined;
    case "approve":
      return { type: "approve" };
    case "edit": {
      const reading = editedArguments(request.args, draft);
      if ("problem" in reading) return undefined;
      return { type: "edit", edited_action: { name: request.name, args: reading.value } };
    }
    case "reject":
      return message === "" ? { type: "reject" } : { type: "reject", message };
    case "respond":
      return message === "" ? undefined : { type: "respond", message };
    default:
      return draft.choice satisfies never;
  }
}
