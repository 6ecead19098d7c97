/** Deleting deployments: each is named before, on a protected connection one by one, and failures are reported once. */

import * as vscode from "vscode";
import type { DeploymentRef } from "../../connections/connection.ts";
import { VIEWS } from "../../kit/ids.ts";
import type { Services } from "../../services.ts";
import { mayProceed } from "../connections/productionGuard.ts";

const detail =
  "Its revisions, its agent server and the threads on it are deleted on the platform; its traces stay. This can't be undone.";

interface NamedDeployment extends DeploymentRef {
  readonly name: string;
}

/** Deletes those that a person confirms. */
export async function deleteDeployments(services: Services, refs: readonly DeploymentRef[]): Promise<void> {
  const named = await Promise.all(
    refs.map(async (ref) => ({ ...ref, name: await services.deployments.nameOf(ref) })),
  );
  const meant = await confirmed(services, named);
  if (meant.length === 0) return;
  const results = await vscode.window.withProgress({ location: { viewId: VIEWS.deployments } }, () =>
    Promise.allSettled(meant.map((ref) => deleteOne(services, ref))),
  );
  const failures = meant.flatMap((ref, index) => {
    const result = results[index];
    return result?.status === "rejected" ? [{ ref, error: result.reason as unknown }] : [];
  });
  const [first] = failures;
  if (first === undefined) return;
  if (meant.length === 1) throw first.error;
  const names = failures.map(({ ref }) => ref.name).join(", ");
  services.report.failure(`Not deleted: ${names}`, first.error, { connectionId: first.ref.connectionId });
}

/** Those that a person wants deleted. */
async function confirmed(
  { connections }: Services,
  named: readonly NamedDeployment[],
): Promise<readonly NamedDeployment[]> {
  const meant: NamedDeployment[] = [];
  const [first, ...others] = named;
  const isProtected = (ref: DeploymentRef) => connections.resolve(ref.connectionId).protected === true;
  if (first !== undefined && others.length > 0 && !named.some(isProtected)) {
    const names = named.map(({ name }) => name).join(", ");
    const question = `Delete ${String(named.length)} deployments?`;
    const act = { name: names, question, detail: `${names}\n\n${detail}`, verb: "Delete", always: true };
    return (await mayProceed(connections.resolve(first.connectionId), act)) ? named : [];
  }
  for (const ref of named) {
    const question = `Delete the deployment “${ref.name}”?`;
    const act = { name: ref.name, question, detail, verb: "Delete", always: true };
    if (!(await mayProceed(connections.resolve(ref.connectionId), act))) return meant;
    meant.push(ref);
  }
  return meant;
}

async function deleteOne({ waitingThreads, deployments }: Services, ref: DeploymentRef): Promise<void> {
  await deployments.delete(ref);
  waitingThreads.forget(ref.connectionId, { kind: "deployment", deploymentId: ref.deploymentId });
}
