/** The steps in which a connection is made or changed, ending in a summary where every field can be chosen. */

import { isKeyElsewhere } from "./connectionDraft.ts";
import type { Draft } from "./connectionDraft.ts";
import { FIELDS } from "./connectionFields.ts";
import type { Field } from "./connectionFields.ts";
import { askChoice } from "../steps.ts";
import type { Answer, Place } from "../steps.ts";

/** Asks step by step for a new connection; undefined when the person gave up. */
export async function fillIn(title: string, start: Draft): Promise<Draft | undefined> {
  let draft = start;
  let step = 0;
  for (;;) {
    const fields = stepsOf(draft);
    const place: Place = { title, step: step + 1, totalSteps: fields.length + 1, canGoBack: step > 0 };
    const field = fields[step];
    const answer: Answer<Draft> =
      field === undefined ? await summary(place, draft) : await FIELDS[field].ask(place, draft);
    if (answer.kind === "cancel") return undefined;
    if (answer.kind === "back") {
      step -= 1;
      continue;
    }
    draft = answer.value;
    if (field === undefined || draft.kind === "localPlatform") return draft;
    step += 1;
  }
}

/** Shows an existing connection's summary for changes; asks for the key again when its address changed. */
export async function change(title: string, start: Draft): Promise<Draft | undefined> {
  let draft = start;
  for (;;) {
    const summarized = await summary({ title }, draft);
    if (summarized.kind !== "next") return undefined;
    draft = summarized.value;
    if (draft.key !== undefined || !isKeyElsewhere(draft)) return draft;
    const answer = await FIELDS.key.ask({ title: `${title}: the address changed`, canGoBack: true }, draft);
    if (answer.kind === "cancel") return undefined;
    if (answer.kind === "next") return answer.value;
  }
}

/** Saving is the first row; any other row asks for that field again and comes back. */
async function summary(place: Place, start: Draft): Promise<Answer<Draft>> {
  let draft = start;
  let active: Field | "save" = "save";
  for (;;) {
    const fields = (Object.keys(FIELDS) as Field[]).filter((field) =>
      FIELDS[field].kinds.includes(draft.kind),
    );
    const rows = fields.map((field) => ({
      value: field,
      label: FIELDS[field].label,
      description: FIELDS[field].show(draft),
    }));
    const save = { value: "save" as const, label: "$(check) Save", description: draft.name };
    const placeholder = "Save, or choose what to change";
    const answer: Answer<Field | "save"> = await askChoice<Field | "save">(place, [save, ...rows], {
      placeholder,
      active,
    });
    if (answer.kind !== "next") return answer;
    if (answer.value === "save") return { kind: "next", value: draft };
    active = answer.value;
    const asked = await FIELDS[active].ask({ title: place.title, canGoBack: true }, draft);
    if (asked.kind === "cancel") return asked;
    if (asked.kind === "next") draft = asked.value;
  }
}

/** What a new connection is asked for before the summary; the rest can be chosen there. */
function stepsOf({ kind }: Draft): readonly Field[] {
  const asked: readonly Field[] = ["kind", "url", "controlPlaneUrl", "agentServers", "name", "key"];
  return asked.filter((field) => FIELDS[field].kinds.includes(kind));
}
