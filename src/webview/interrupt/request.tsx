import { useId } from "preact/hooks";

import type { ActionRequest, DecisionType } from "../../run/panel/transcript.ts";
import { Button } from "../controls/button.tsx";
import { JsonField } from "../controls/jsonField.tsx";
import { Literal } from "../controls/literal.tsx";
import { LongText } from "../controls/longText.tsx";
import { argsText, type DecisionDraft } from "./answer.ts";

const buttons: Readonly<Record<DecisionType, { readonly label: string; readonly icon: string }>> = {
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
}

/** One action that an agent asks to take: what it is, and the answers that are allowed. */
export function Request({ request, position, draft, onDraft, onApproveOnly }: RequestProps) {
  const title = useId();
  const choose = (choice: DecisionType) => {
    if (choice === "approve" && onApproveOnly !== undefined) onApproveOnly();
    else onDraft({ choice });
  };
  return (
    <div class="request" role="group" aria-labelledby={title}>
      <div class="request-title" id={title}>
        {position !== undefined && <span class="fact">{position}</span>}
        <span class="tool-name">
          <Literal text={request.name} />
        </span>
      </div>
      {request.description !== undefined && (
        <p class="plain-text">
          <Literal text={request.description} />
        </p>
      )}
      {draft.choice === "edit" ? (
        <JsonField
          label="Edited arguments (JSON)"
          text={argsText(request, draft)}
          onText={(args) => onDraft({ args })}
        />
      ) : (
        <LongText text={JSON.stringify(request.args)} label="arguments" />
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
      <Words draft={draft} onDraft={onDraft} />
    </div>
  );
}

function Words({ draft, onDraft }: Pick<RequestProps, "draft" | "onDraft">) {
  const id = useId();
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
      />
    </div>
  );
}
