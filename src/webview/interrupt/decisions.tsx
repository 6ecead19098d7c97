import type { ComponentChildren } from "preact";

import type { Decision, InterruptEntry } from "../../run/panel/transcript.ts";
import { Button } from "../controls/button.tsx";
import { post } from "../host.ts";
import { plural } from "../measures.ts";
import { useSent } from "../sent.ts";
import { readDecision, type DecisionDraft } from "./answer.ts";
import { Request } from "./request.tsx";

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
  const decided = requests.flatMap((request, index) => {
    const reading = readDecision(request, draftOf(index));
    return "decision" in reading ? [reading.decision] : [];
  });
  const send = (decisions: readonly Decision[]) => {
    if (sent) return;
    noteSent();
    post({ type: "decide", interruptId: interrupt.id, decisions });
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
        />
      ))}
      {children}
      {needsButton && (
        <div class="card-foot">
          <Button
            kind="primary"
            icon="send"
            disabled={sent || decided.length < requests.length}
            onClick={() => send(decided)}
          >
            {single ? "Send" : `Send ${plural(requests.length, "decision")}`}
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
