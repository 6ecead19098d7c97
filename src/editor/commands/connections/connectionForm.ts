/** The steps in which a connection is made or changed. */

import { fillForm, reviewForm } from "../../kit/ask/form.ts";
import type { Form } from "../../kit/ask/form.ts";
import { isKeyElsewhere } from "./connectionDraft.ts";
import type { Draft } from "./connectionDraft.ts";
import { FIELDS } from "./connectionFields.ts";
import type { Field } from "./connectionFields.ts";

/** What a new connection is asked for before the summary; the rest can be chosen there. */
const asked: readonly Field[] = ["kind", "url", "controlPlaneUrl", "agentServers", "name", "key"];

/** Asks step by step for a new connection; undefined when the person gave up. */
export function fillInConnection(title: string, start: Draft): Promise<Draft | undefined> {
  return fillForm(connectionForm(title), start);
}

/** Shows an existing connection's summary for changes; asks for the key again when its address changed. */
export async function changeConnection(title: string, start: Draft): Promise<Draft | undefined> {
  let draft = start;
  for (;;) {
    const reviewed = await reviewForm(connectionForm(title), draft);
    if (reviewed === undefined || reviewed.key !== undefined || !isKeyElsewhere(reviewed)) return reviewed;
    draft = reviewed;
    const answer = await FIELDS.key.ask({ title: `${title}: the address changed`, canGoBack: true }, draft);
    if (answer.kind === "cancel") return undefined;
    if (answer.kind === "next") return answer.value;
  }
}

function connectionForm(title: string): Form<Draft, Field> {
  const of = (fields: readonly Field[], { kind }: Draft): readonly Field[] =>
    fields.filter((field) => FIELDS[field].kinds.includes(kind));
  return {
    title,
    fields: FIELDS,
    steps: (draft) => of(asked, draft),
    summary: (draft) => of(Object.keys(FIELDS) as Field[], draft),
    accept: ({ name }) => ({ label: "$(check) Save", description: name }),
    // The Local Platform says everything about itself.
    isComplete: ({ kind }) => kind === "localPlatform",
  };
}
