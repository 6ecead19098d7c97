/** The steps in which a connection is made or changed. */

import { fillForm, type Form, type FormField, reviewForm } from "../../kit/ask/form.ts";
import { askThen } from "../../kit/ask/questions.ts";
import { type Draft, isKeyElsewhere } from "./connectionDraft.ts";
import { type Field, FIELDS, KINDS_WITH } from "./connectionFields.ts";

/** What a new connection is asked for before the summary; the rest can be chosen there. */
const asked: readonly Field[] = ["kind", "url", "controlPlaneUrl", "agentServers", "name", "key"];

/** Asks step by step for a new connection. */
export function fillInConnection(title: string, start: Draft): Promise<Draft> {
  return fillForm(connectionForm(title), start);
}

/** Shows an existing connection's summary for changes; asks for the key again when its address changed. */
export function changeConnection(title: string, start: Draft): Promise<Draft> {
  let draft = start;
  return askThen(
    async () => (draft = await reviewForm(connectionForm(title), draft)),
    (reviewed) =>
      reviewed.key !== undefined || !isKeyElsewhere(reviewed)
        ? Promise.resolve(reviewed)
        : FIELDS.key.ask({ title: `${title}: the address changed`, canGoBack: true }, reviewed),
  );
}

function connectionForm(title: string): Form<Draft> {
  const fields = Object.entries(FIELDS) as readonly [Field, FormField<Draft>][];
  return {
    title,
    fields: fields.map(([name, field]) => ({
      ...field,
      has: ({ kind }) => KINDS_WITH[name].includes(kind),
      isAsked: () => asked.includes(name),
    })),
    accept: ({ name }) => ({ label: "$(check) Save", description: name }),
    // The Local Platform says everything about itself.
    isComplete: ({ kind }) => kind === "localPlatform",
  };
}
