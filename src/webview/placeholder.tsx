/** What stands above the conversation, or in its place. */

import { useState } from "preact/hooks";

import type { AssistantChoice, SessionState } from "../run/panel/messages.ts";
import { Button, IconButton } from "./controls/button.tsx";
import { Icon } from "./controls/icon.tsx";
import { Literal } from "./controls/literal.tsx";
import { post, useReceived } from "./kit/host.ts";
import { memory } from "./kit/memory.ts";

/** The shape of a conversation while it is fetched. */
export function Loading() {
  return (
    <div class="placeholder loading" role="status" aria-label="Loading the thread">
      {["short", "long", "middle", "long"].map((length, index) => (
        <div key={index} class={`bone ${length}`} />
      ))}
    </div>
  );
}

/** The most agents that have a card; the composer lists all. */
const mostExamples = 8;

/** A thread with nothing in it: what to do, and an input to try for each agent that offers one. */
export function Empty({ assistants }: { readonly assistants: readonly AssistantChoice[] }) {
  const use = (assistant: AssistantChoice) => {
    const draft = memory.get("draft");
    // What a person wrote stays.
    const isOwn = draft.text.trim() !== "" && assistants.every(({ example }) => example !== draft.text);
    const text = isOwn ? draft.text : (assistant.example ?? draft.text);
    memory.set("draft", { ...draft, assistantId: assistant.id, text });
    document.querySelector<HTMLElement>(".composer :is(.composer-input, .schema-form textarea)")?.focus();
  };
  const more = assistants.length - mostExamples;
  return (
    <div class="placeholder">
      <span class="codicon codicon-comment-discussion placeholder-icon" aria-hidden="true" />
      <h2>Nothing here yet</h2>
      <p>Pick an agent below, write a message and press Enter. Its run streams into this view.</p>
      <div class="examples">
        {assistants.slice(0, mostExamples).map((assistant) => (
          <button key={assistant.id} type="button" class="example" onClick={() => use(assistant)}>
            <Literal class="example-name" text={assistant.name} />
            {assistant.description !== undefined && (
              <Literal class="example-text" text={assistant.description} />
            )}
            {assistant.example !== undefined && (
              <span class="example-text quote">
                “<Literal text={assistant.example} />”
              </span>
            )}
          </button>
        ))}
      </div>
      {more > 0 && <p>And {more} more, in the list of agents below.</p>}
    </div>
  );
}

/** What went wrong and what to do about it; what was received stays below. */
export function Failure({ session }: { readonly session: SessionState }) {
  if (session.kind !== "failed") return null;
  const { message, actions } = session;
  return (
    <div class="banner error" role="alert">
      <Icon name="error" />
      <Literal class="banner-text" text={message} />
      {actions.map(({ title, action }, index) => (
        <Button
          key={action}
          kind={index === 0 ? "primary" : "secondary"}
          onClick={() => post({ type: "remedy", action })}
        >
          {title}
        </Button>
      ))}
    </div>
  );
}

/** A request that the host refused, shown until it is dismissed; the composer shows its own. */
export function Refusal() {
  const [message, setMessage] = useState<string>();
  useReceived((received) => {
    if (received.type === "refused" && received.request !== "start" && received.shown !== true)
      setMessage(received.message);
  }, []);
  if (message === undefined) return null;
  return (
    <div class="banner warning" role="alert">
      <Icon name="warning" />
      <Literal class="banner-text" text={message} />
      <IconButton icon="close" label="Dismiss" onClick={() => setMessage(undefined)} />
    </div>
  );
}
