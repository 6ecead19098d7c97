/** The values of secrets, entered in password boxes or taken from the environment, and kept nowhere. */

import type { Secret } from "../../../api/controlPlane/wire.ts";
import { environmentName } from "../../deployments/drafts/deploymentDraft.ts";
import type { DraftSecret } from "../../deployments/drafts/deploymentDraft.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { askSteps } from "../../kit/ask/form.ts";
import type { Step } from "../../kit/ask/form.ts";
import { askText } from "../../kit/ask/questions.ts";

/** The values of all secrets. Throws NotPossibleError when the environment lacks one. */
export async function secretValues(
  title: string,
  secrets: readonly DraftSecret[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<readonly Secret[]> {
  const start = new Map(secrets.map((secret) => [secret.name, fromEnvironment(secret, environment)]));
  const asked = [...start].flatMap(([name, value]) => (value === undefined ? [name] : []));
  const steps = asked.map((name): Step<ReadonlyMap<string, string | undefined>> => async (place, values) => {
    const value = await askText(place, {
      prompt: `The value of ${name}: sent to the platform, and kept nowhere here.`,
      secret: true,
      value: values.get(name) ?? "",
      problem: (text) => (text === "" ? "Enter the value; the platform drops empty ones." : undefined),
    });
    return new Map([...values, [name, value]]);
  });
  const values = await askSteps<ReadonlyMap<string, string | undefined>>({ title }, start, () => steps);
  return [...values].map(([name, value = ""]) => ({ name, value }));
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
