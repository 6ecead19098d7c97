/** Deleting deployments: each is named before, on a protected connection one by one, and failures are reported once. */

import type { DeploymentRef } from "../../connections/connection.ts";
import { VIEWS } from "../../kit/ids.ts";
import { working } from "../../kit/notice.ts";
import type { Services } from "../../services.ts";
import { confirmAct, strictnessOf } from "../../connections/guard.ts";

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
  await confirmAll(services, named);
  const results = await working(
    "Deleting deployments",
    () => Promise.allSettled(named.map((ref) => deleteOne(services, ref))),
    { viewId: VIEWS.deployments },
  );
  const failures = named.flatMap((ref, index) => {
    const result = results[index];
    return result?.status === "rejected" ? [{ ref, error: result.reason as unknown }] : [];
  });
  const [first] = failures;
  if (first === undefined) return;
  if (named.length === 1) throw first.error;
  const names = failures.map(({ ref }) => ref.name).join(", ");
  services.report.failure(`Not deleted: ${names}`, first.error, { connectionId: first.ref.connectionId });
}

/** Asks about all at once, or about each where a connection is protected; throws CancellationError when the person gives up. */
async function confirmAll({ connections }: Services, named: readonly NamedDeployment[]): Promise<void> {
  const [first, ...others] = named;
  const isProtected = (ref: DeploymentRef) =>
    strictnessOf(connections.resolve(ref.connectionId)) !== "nothing";
  if (first !== undefined && others.length > 0 && !named.some(isProtected)) {
    const names = named.map(({ name }) => name).join(", ");
    const question = `Delete ${String(named.length)} deployments?`;
    const act = { name: names, question, detail: `${names}\n\n${detail}`, verb: "Delete", always: true };
    await confirmAct(connections.resolve(first.connectionId), act);
    return;
  }
  for (const ref of named) {
    const question = `Delete the deployment “${ref.name}”?`;
    const act = { name: ref.name, question, detail, verb: "Delete", always: true };
    await confirmAct(connections.resolve(ref.connectionId), act);
  }
}

async function deleteOne({ waitingThreads, deployments }: Services, ref: DeploymentRef): Promise<void> {
  await deployments.delete(ref);
  waitingThreads.forget(ref.connectionId, { kind: "deployment", deploymentId: ref.deploymentId });
}
