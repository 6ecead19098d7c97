/** The fields of a connection that mark it: how it is protected, and in which color it is shown. */

import type { ConnectionColor, Strictness } from "../../connections/connection.ts";
import { COLORS } from "../../connections/connectionSettings.ts";
import { colored } from "../../connections/mark.ts";
import { choiceField } from "../../kit/ask/form.ts";
import { capitalized } from "../../kit/words.ts";
import type { Draft } from "./connectionDraft.ts";

const PROTECTED = "Marked wherever it appears. Whatever changes something there asks for this first.";

/** How protected a connection is, in words. */
const PROTECTION_WORDS: Readonly<Record<Strictness | "off", string>> = {
  off: "off",
  word: "on: changes ask for a word",
  click: "on: changes ask for a click",
  nothing: "marked only",
};

/** Whether it is production, and what is asked before something there is changed. */
export const protectionField = choiceField<Draft, Strictness | "off">(
  "Protection",
  {
    get: (draft) => draft.protected ?? "off",
    set: (draft, chosen) =>
      chosen === "off" ? without(draft, "protected") : { ...draft, protected: chosen },
  },
  {
    placeholder: "Is this production? What do you want to do before something is changed there?",
    choices: [
      { value: "off", label: "Off", detail: "Deleting asks once; other changes go ahead." },
      { value: "word", label: "$(shield) Type a word", detail: PROTECTED },
      { value: "click", label: "$(shield) Press a button", detail: PROTECTED },
      {
        value: "nothing",
        label: "$(shield) Nothing",
        detail: "Marked wherever it appears, and asks no more than others.",
      },
    ],
  },
  { show: (draft) => PROTECTION_WORDS[draft.protected ?? "off"] },
);

/** The color of its mark. */
export const colorField = choiceField<Draft, ConnectionColor | "none">(
  "Color",
  {
    get: (draft) => draft.color ?? "none",
    set: (draft, chosen) => (chosen === "none" ? without(draft, "color") : { ...draft, color: chosen }),
  },
  {
    placeholder: "In which color is the connection shown?",
    choices: [
      { value: "none", label: "None", detail: "A protected connection is red." },
      ...COLORS.map((value) => ({
        value,
        label: capitalized(value),
        iconPath: colored("circle-filled", value),
      })),
    ],
  },
  { show: ({ color = "none" }) => color },
);

function without(draft: Draft, field: "protected" | "color"): Draft {
  return Object.fromEntries(Object.entries(draft).filter(([name]) => name !== field)) as unknown as Draft;
}
