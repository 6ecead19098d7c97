/** What is said above a conversation whose run was stranded, or that goes on from such a one. */

import type { PanelState } from "../../run/panel/messages.ts";
import { Button } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { post } from "../kit/host.ts";
import { memory } from "../kit/memory.ts";
import { visibleText } from "../kit/visibleText.ts";

const mostOfNodes = 60;

/** A run that nobody carries on, with what can be done about it, and the threads that this one is bound to. */
export function Stranded({ state: { session, links } }: { readonly state: PanelState }) {
  const stranded = session.kind === "streaming" ? session.stranded : undefined;
  const { continuedIn, continuedFrom } = links ?? {};
  const letBe = session.kind === "streaming" ? `stranded ${session.runId ?? ""}` : "";
  const isShown =
    stranded !== undefined && continuedIn === undefined && !memory.get("folded").includes(letBe);
  return (
    <>
      {isShown && (
        <div class="banner warning" role="alert">
          <Icon name="warning" />
          <span class="banner-text">{stranded.text}</span>
          <Button kind="primary" onClick={() => post({ type: "continueInCopy" })}>
            {continueWords(stranded.next)}
          </Button>
          <Button
            title="The run stays as it is, and this is not said again."
            onClick={() => memory.toggle("folded", letBe)}
          >
            Dismiss
          </Button>
        </div>
      )}
      {continuedIn !== undefined && (
        <Link text="The run of this thread was stranded, and goes on in a copy." link="continuedIn" />
      )}
      {continuedFrom !== undefined && (
        <Link text="This is a copy, in which a stranded run goes on." link="continuedFrom" />
      )}
    </>
  );
}

function continueWords(next: readonly string[]): string {
  const nodes = visibleText(next.join(", "));
  return nodes === "" || nodes.length > mostOfNodes
    ? "Continue in a Copy"
    : `Continue from “${nodes}” in a Copy`;
}

function Link({ text, link }: { readonly text: string; readonly link: "continuedIn" | "continuedFrom" }) {
  return (
    <div class="banner" role="status">
      <Icon name="copy" />
      <span class="banner-text">{text}</span>
      <Button onClick={() => post({ type: "openLinked", link })}>
        {link === "continuedIn" ? "Open the Copy" : "Open the Thread"}
      </Button>
    </div>
  );
}
