/** The values of secrets, entered in password boxes or taken from the environment, and kept nowhere. */

import type { Secret } from "../../../api/controlPlane/wire.ts";
import { environmentName } from "../../deployments/drafts/deploymentDraft.ts";
import type { DraftSecret } from "../../deployments/drafts/deploymentDraft.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { askText } from "../../kit/ask/steps.ts";

/** The values of all secrets; undefined when the person gave up. Throws when the environment lacks one. */
export async function secretValues(
  title: string,
  secrets: readonly DraftSecret[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<readonly Secret[] | undefined> {
  const taken = new Map(secrets.map((secret) => [secret.name, fromEnvironment(secret, environment)]));
  const asked = [...taken].flatMap(([name, value]) => (value === undefined ? [name] : []));
  for (let step = 0; step < asked.length;) {
    const name = asked[step] ?? "";
    const answer = await askText(
      { title, step: step + 1, totalSteps: asked.length, canGoBack: step > 0 },
      {
        prompt: `The value of ${name}: sent to the platform, and kept nowhere here.`,
        secret: true,
        value: taken.get(name) ?? "",
        problem: (text) => (text === "" ? "Enter the value; the platform drops empty ones." : undefined),
      },
    );
    if (answer.kind === "cancel") return undefined;
    if (answer.kind === "next") taken.set(name, answer.value);
    step += answer.kind === "next" ? 1 : -1;
  }
  return [...taken].map(([name, value = ""]) => ({ name, value }));
}

function fromEnvironment({ name, value }: DraftSecret, environment: NodeJS.ProcessEnv): string | undefined {
  if (value === undefined) return undefined;
  const variable = environmentName(value) ?? "";
  const found = environment[variable];
  if (found !== undefined && found !== "") return found;
  throw new NotPossibleError(
    `The secret ${name} is taken from the environment variable ${variable}, which is not set.`,
    "Set it and restart the editor, or leave the value out of the draft to be asked.",
  );
}
