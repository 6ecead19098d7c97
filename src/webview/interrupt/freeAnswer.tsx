import { useId } from "preact/hooks";

import type { InterruptEntry } from "../../run/panel/transcript.ts";
import { Button } from "../controls/button.tsx";
import { post } from "../host.ts";
import { useSent } from "../sent.ts";
import { freeAnswer } from "./answer.ts";

interface FreeAnswerProps {
  readonly interrupt: InterruptEntry;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** The answer to a question of no fixed form: JSON if it reads as JSON, else text; it says which. */
export function FreeAnswer({ interrupt, text, onText }: FreeAnswerProps) {
  const id = useId();
  const [sent, noteSent] = useSent(interrupt, "resume");
  const blank = text.trim() === "";
  const value = freeAnswer(text);
  const kind = typeof value === "string" && value === text ? "text" : "JSON";
  return (
    <div class="field">
      <label for={id}>Answer, as text or JSON</label>
      <textarea
        id={id}
        class="input"
        rows={2}
        value={text}
        onInput={(event) => onText(event.currentTarget.value)}
      />
      <div class="card-foot">
        <Button
          kind="primary"
          icon="send"
          disabled={blank || sent}
          onClick={() => {
            noteSent();
            post({ type: "resume", interruptId: interrupt.id, value });
          }}
        >
          Send
        </Button>
        {!blank && <span class="fact">goes as {kind}</span>}
      </div>
    </div>
  );
}
