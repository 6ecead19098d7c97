import type { MessageEntry } from "../../run/panel/transcript.ts";
import { CopyButton } from "../controls/button.tsx";
import { Disclosure } from "../controls/disclosure.tsx";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { LongText } from "../controls/longText.tsx";
import { Markdown } from "../controls/markdown.tsx";
import { Pictures } from "../controls/picture.tsx";
import { visibleText } from "../kit/visibleText.ts";
import { MessageActions } from "../repair/courseActions.tsx";
import { Tokens } from "./status.tsx";
import type { IconName } from "../kit/icons.ts";

const icons = new Map<string, IconName>([
  ["human", "account"],
  ["ai", "sparkle"],
  ["system", "gear"],
]);
const names = new Map(Object.entries({ human: "You", ai: "Agent", system: "System" }));

/** One message of a person, an agent, or whoever else the server names. */
export function Message({ message }: { readonly message: MessageEntry }) {
  const { role, text } = message;
  const state = message.streaming ? ", still writing" : message.partial === true ? ", partial" : "";
  const inLane = message.lane !== "";
  const roleName = role === "human" && inLane ? "Instruction" : names.get(role);
  const name = message.name ?? roleName ?? role;
  const style = role === "ai" || (role === "human" && !inLane) ? role : "other";
  return (
    <article class={`message role-${style}`} aria-label={`Message of ${visibleText(name)}${state}`}>
      <div class="message-head">
        <Icon name={inLane && role === "human" ? "comment" : (icons.get(role) ?? "comment")} />
        <Literal class="message-name" text={name} />
        {message.name !== undefined && name !== role && roleName !== undefined && (
          <span class="fact">{roleName}</span>
        )}
        {message.usage !== undefined && <Tokens usage={message.usage} />}
        <span class="message-tools">
          {!message.streaming && <MessageActions message={message} />}
          {text !== "" && !message.streaming && <CopyButton label="Copy message" text={() => text} />}
        </span>
      </div>
      {(text !== "" || message.streaming) && <Body message={message} />}
      <Pictures pictures={message.pictures} />
      {message.partial === true && (
        <p class="partial">
          <Icon name="debug-pause" /> Partial: the run was interrupted
        </p>
      )}
    </article>
  );
}

function Body({ message }: { readonly message: MessageEntry }) {
  const { role, text, streaming } = message;
  if (role === "ai") return <Markdown text={text} streaming={streaming} />;
  if (role !== "human" || text.length > 8_000) {
    return (
      <Disclosure
        id={`text:${message.id}`}
        summary={<span class="preview">{visibleText(text.slice(0, 200))}</span>}
      >
        {() => <LongText text={text} label="message" />}
      </Disclosure>
    );
  }
  return <Literal as="p" class="plain-text" dir="auto" text={text} prose files />;
}
