/** Asking what is to be done to several deployments. */

import type { Deployment } from "../../../api/controlPlane/wire.ts";
import { type BulkChange, sourceKind } from "../../deployments/bulk/bulkChange.ts";
import { askSteps, type FormStep } from "../../kit/ask/form.ts";
import { askChoice, askText, type Choice, type TextQuestion } from "../../kit/ask/questions.ts";
import { counted } from "../../kit/words.ts";

type Kind = BulkChange["kind"];

/** What was answered so far; the text is an image, a branch or the name of a secret. */
interface Asked {
  readonly kind: Kind;
  readonly text: string;
}

/** What is done to each; `deployments` are those that may be changed. */
export async function askChange(deployments: readonly Deployment[]): Promise<BulkChange> {
  const title = `Change ${counted(deployments.length, "deployment")}`;
  const kinds = new Set(deployments.map(sourceKind));
  const askKind: FormStep<Asked> = async (heading, asked) => {
    const choices = CHOICES.filter(
      ({ value }) => (value !== "image" && value !== "branch") || kinds.has(value),
    );
    const question = { placeholder: "What is done to each of them?", active: asked.kind };
    const kind = await askChoice<Kind>(heading, choices, question);
    return { kind, text: kind === asked.kind ? asked.text : "" };
  };
  const askWhat: FormStep<Asked> = async (heading, asked) => {
    if (asked.kind === "redeploy") return asked;
    return { ...asked, text: await askText(heading, { ...QUESTIONS[asked.kind], value: asked.text }) };
  };
  const start: Asked = { kind: "redeploy", text: "" };
  const { kind, text } = await askSteps({ title }, start, (asked) =>
    asked.kind === "redeploy" ? [askKind] : [askKind, askWhat],
  );
  if (kind === "redeploy") return { kind };
  return kind === "secret" ? { kind, name: text } : { kind, to: text };
}

const CHOICES: readonly Choice<Kind>[] = [
  { label: "$(refresh) Redeploy", detail: "What each one serves, as a new revision", value: "redeploy" },
  { label: "$(package) Another Image", detail: "A new revision of each is made from it", value: "image" },
  {
    label: "$(git-branch) Another Branch or Tag",
    detail: "A new revision of each is built from it",
    value: "branch",
  },
  { label: "$(key) Set a Secret", detail: "Its value is asked for, and kept nowhere", value: "secret" },
];

const QUESTIONS: Readonly<Record<Exclude<Kind, "redeploy">, TextQuestion>> = {
  image: {
    prompt: "A tag for each one's own image, such as :1.4.2, or a whole image.",
    placeholder: ":1.4.2",
    problem: (text) =>
      /^[:@]?[^\s:@]\S*$/.test(text) ? undefined : "Enter a tag or an image, without spaces.",
  },
  branch: {
    prompt: "A branch, or a tag such as refs/tags/v1.0.0; it is built in each one's own repository.",
    placeholder: "main",
    problem: (text) => (/^\S+$/.test(text) ? undefined : "Enter a branch, without spaces."),
  },
  secret: {
    prompt: "The name of the secret; its value is asked for later.",
    placeholder: "OPENAI_API_KEY",
    problem: (text) =>
      /^[A-Za-z_]\w{0,254}$/.test(text) ? undefined : "A name holds letters, digits and underscores.",
  },
};
