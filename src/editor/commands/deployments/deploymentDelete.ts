/** Deleting deployments: each is named before, on a protected connection one by one, and failures are told once. */

import * as vscode from "vscode";
import { unlessGone } from "../../../api/errors.ts";
import type { DeploymentRef } from "../../connections/connection.ts";
import { nameOf } from "../../deployments/deploymentRow.ts";
import { VIEWS } from "../../kit/ids.ts";
import type { Services } from "../../services.ts";
import { mayProceed } from "../connections/productionGuard.ts";

const detail =
  "Its revisions, its agent server and the threads on it are deleted on the platform; its traces stay. This can't be undone.";

interface Doomed extends DeploymentRef {
  readonly name: string;
}

/** Deletes those that a person confirms; `knownName` saves the question for a name. */
export async function deleteDeployments(
  services: Services,
  refs: readonly DeploymentRef[],
  knownName: (ref: DeploymentRef) => string | undefined,
): Promise<void> {
  const doomed = await Promise.all(
    refs.map(async (ref) => ({ ...ref, name: knownName(ref) ?? (await readName(services, ref)) })),
  );
  const meant = await confirmed(services, doomed);
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
async function confirmed({ connections }: Services, doomed: readonly Doomed[]): Promise<readonly Doomed[]> {
  const meant: Doomed[] = [];
  const [first, ...others] = doomed;
  const isProtected = (ref: DeploymentRef) => connections.resolve(ref.connectionId).protected === true;
  if (first !== undefined && others.length > 0 && !doomed.some(isProtected)) {
    const names = doomed.map(({ name }) => name).join(", ");
    const question = `Delete ${String(doomed.length)} deployments?`;
    const act = { name: names, question, detail: `${names}\n\n${detail}`, verb: "Delete", always: true };
    return (await mayProceed(connections.resolve(first.connectionId), act)) ? doomed : [];
  }
  for (const ref of doomed) {
    const question = `Delete the deployment “${ref.name}”?`;
    const act = { name: ref.name, question, detail, verb: "Delete", always: true };
    if (!(await mayProceed(connections.resolve(ref.connectionId), act))) return meant;
    meant.push(ref);
  }
  return meant;
}

/** One that is gone already counts as deleted. */
async function deleteOne(
  { waitingThreads, platforms, deployments }: Services,
  ref: DeploymentRef,
): Promise<void> {
  const controlPlane = await platforms.controlPlane(ref.connectionId);
  await controlPlane.deployments.delete(ref.deploymentId).catch(unlessGone);
  await deployments.memory.remove(ref);
  waitingThreads.forget(ref.connectionId, { kind: "deployment", deploymentId: ref.deploymentId });
  deployments.touched(ref);
}

async function readName(
  { platforms }: Services,
  { connectionId, deploymentId }: DeploymentRef,
): Promise<string> {
  const { deployments } = await platforms.controlPlane(connectionId);
  return nameOf({ id: deploymentId, deployment: await deployments.get(deploymentId) });
}
