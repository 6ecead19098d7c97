/** The secrets of a draft: their values, from the environment or asked for, and what of the environment leaves. */

import type * as vscode from "vscode";
import type { Secret } from "../../../api/controlPlane/wire.ts";
import type { ConnectionSetting } from "../../connections/connection.ts";
import { type DraftSecret, environmentName } from "../../deployments/drafts/deploymentDraft.ts";
import { askSteps, type FormStep } from "../../kit/ask/form.ts";
import { askText } from "../../kit/ask/questions.ts";
import { checkVariables } from "../../kit/workspaceFiles.ts";
import { NotPossibleError } from "../../kit/remedies.ts";

/** A row for each variable of the environment that the draft takes: which one, as what, and where it goes. */
export function variableRows(
  secrets: readonly DraftSecret[],
  { name: platform, controlPlaneUrl, url }: ConnectionSetting,
): readonly vscode.QuickPickItem[] {
  const host = URL.parse(controlPlaneUrl ?? url ?? "")?.host ?? platform;
  return variablesIn(secrets).map(({ name, variable }) => ({
    label: `$(key) ${variable}`,
    description: `of your environment goes to ${host} as the secret ${name}`,
    alwaysShow: true,
  }));
}

/**
 * The values of all secrets. Throws NotPossibleError when the environment has not got one of them, or the workspace is
 * not trusted to name them.
 */
export async function secretValues(
  title: string,
  secrets: readonly DraftSecret[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<readonly Secret[]> {
  checkVariables(variablesIn(secrets).map(({ variable }) => variable));
  const start = new Map(secrets.map((secret) => [secret.name, fromEnvironment(secret, environment)]));
  const asked = [...start].flatMap(([name, value]) => (value === undefined ? [name] : []));
  const steps = asked.map(
    (name): FormStep<ReadonlyMap<string, string | undefined>> =>
      async (heading, values) => {
        const value = await askText(heading, {
          prompt: `The value of ${name}: sent to the platform, and kept nowhere here.`,
          secret: true,
          value: values.get(name) ?? "",
          problem: (text) => (text === "" ? "Enter the value; the platform drops empty ones." : undefined),
        });
        return new Map([...values, [name, value]]);
      },
  );
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

function variablesIn(secrets: readonly DraftSecret[]) {
  return secrets.flatMap(({ name, value = "" }) => {
    const variable = environmentName(value);
    return variable === undefined ? [] : [{ name, variable }];
  });
}
