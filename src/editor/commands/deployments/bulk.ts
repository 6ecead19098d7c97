/** Changing many deployments: what is changed where is shown first, and each protected connection asks by its name. */

import * as vscode from "vscode";
import type { Deployment, Secret } from "../../../api/controlPlane/wire.ts";
import { unlessGone } from "../../../api/errors.ts";
import { agree } from "../../bulk/agreement.ts";
import type { AgreedConnection } from "../../bulk/bulkJob.ts";
import type { Worker } from "../../bulk/bulkChanges.ts";
import type { DeploymentRef } from "../../connections/connection.ts";
import { markedLabel } from "../../connections/mark.ts";
import {
  type BulkChange,
  type ChangePreview,
  previewOf,
  titleOf,
} from "../../deployments/bulk/bulkChange.ts";
import {
  type BulkSecrets,
  type DeploymentItem,
  type DeploymentJob,
  deploymentWork,
  keyOf,
} from "../../deployments/bulk/deploymentWork.ts";
import { nameOf } from "../../deployments/deploymentFacts.ts";
import { isFiltering, isWanted } from "../../deployments/deploymentFilter.ts";
import { askSeveral } from "../../kit/ask/questions.ts";
import { SECTION, SETTINGS } from "../../kit/ids.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { capitalized, counted, withoutIcons } from "../../kit/words.ts";
import type { Services } from "../../services.ts";
import { askEachAloud } from "../connections/connectionChoice.ts";
import { askChange } from "./bulkQuestions.ts";
import { secretValues } from "./deploymentSecrets.ts";

/** A deployment as it is now, with what the change would do to it. */
interface Planned extends DeploymentRef, ChangePreview {
  readonly deployment: Deployment;
  readonly name: string;
}

/** Asks what is done to which deployments, and does it. */
export async function changeDeployments(
  services: Services,
  refs: readonly DeploymentRef[] | undefined,
): Promise<void> {
  const read = refs === undefined ? await wantedByFilter(services) : await readAll(services, refs);
  const change = await askChange(read.map(({ deployment }) => deployment));
  const planned = read.map((one): Planned => ({ ...one, ...previewOf(one.deployment, change) }));
  const isMarked = refs !== undefined || isFiltering(services.deployments.filter);
  const chosen = await preview(services, change, planned, isMarked);
  const secrets = await askSecrets(services, change, chosen);
  const used = new Set(chosen.map(({ connectionId }) => connectionId));
  const unchanged = planned.filter((one) => one.without !== undefined && used.has(one.connectionId));
  const items = [...chosen, ...(isMarked ? unchanged : [])].map(itemOf);
  const sent = items.filter(({ state }) => state !== "left");
  const agreed = await agreeTo(services, change, items, jobTitle(change, sent.length));
  const title = jobTitle(change, items.length);
  const job = { ...{ title, doneWord: "deployed", change, agreed, items, isTried: false }, pace: paceNow() };
  await services.bulkChanges.begin<DeploymentJob>(job, workerOf(services, secrets));
}

/** Goes on with what another window or an earlier session left; it is agreed to anew. */
export async function goOnWithDeployments(services: Services, job: DeploymentJob): Promise<void> {
  const open = job.items.filter(({ state }) => state === "waiting" || state === "sending");
  const known = open.filter(({ connectionId }) => services.connections.get(connectionId) !== undefined);
  const read = await readLeft(services, job.change.kind === "secret" ? known : []);
  const planned = read.map((one): Planned => ({ ...one, ...previewOf(one.deployment, job.change) }));
  const secrets = await askSecrets(services, job.change, planned);
  const title = jobTitle(job.change, known.length);
  const renewed = known.length === 0 ? [] : await agreeTo(services, job.change, known, title);
  const agreed = job.agreed.map((old) => renewed.find((one) => one.connectionId === old.connectionId) ?? old);
  await services.bulkChanges.carryOut({ ...job, agreed, pace: paceNow() }, workerOf(services, secrets));
}

function agreeTo(
  { connections }: Services,
  change: BulkChange,
  items: readonly DeploymentItem[],
  title: string,
): Promise<readonly AgreedConnection[]> {
  const verb = change.kind === "redeploy" ? "Redeploy" : "Change";
  return agree(connections, { title, verb, items, first: "One is changed" });
}

/** "Redeploy 12 deployments". */
function jobTitle(change: BulkChange, count: number): string {
  const many = counted(count, "deployment");
  return change.kind === "redeploy" ? `Redeploy ${many}` : `${titleOf(change)} on ${many}`;
}

function paceNow(): DeploymentJob["pace"] {
  const atOnce = vscode.workspace.getConfiguration(SECTION).get(SETTINGS.bulkAtOnce, 2);
  return { atOnce, everyMs: 0, mostFailures: 1 };
}

function workerOf(services: Services, secrets: BulkSecrets): Worker<DeploymentJob> {
  const deadlineMs = (): number =>
    60_000 * vscode.workspace.getConfiguration(SECTION).get(SETTINGS.watchDeadlineMinutes, 30);
  return ({ change }) => deploymentWork({ ...services, deadlineMs }, change, secrets);
}

/** The deployments that would be changed, each to be left out. */
async function preview(
  { connections }: Services,
  change: BulkChange,
  planned: readonly Planned[],
  isMarked: boolean,
): Promise<readonly Planned[]> {
  const changed = planned.filter(({ without }) => without === undefined);
  const [first] = planned;
  if (changed.length === 0) {
    const why = first?.without === undefined ? "" : ` “${first.name}”: ${first.without}.`;
    throw new NotPossibleError(`No deployment would be changed.${why}`, "Choose others, or another change.");
  }
  const choices = changed.map((value) => {
    const connection = connections.get(value.connectionId);
    const { length } = value.otherSecrets;
    const others = length === 0 ? "" : `, and asks for its other ${counted(length, "secret")} once more`;
    return {
      label: withoutIcons(value.name),
      description: connection === undefined ? "" : markedLabel(connection),
      detail: value.words + others,
      picked: isMarked && length === 0,
      value,
    };
  });
  const left = planned.length - changed.length;
  const placeholder = `What changes where${left === 0 ? "" : `; ${counted(left, "other")} would not change`}`;
  const chosen = await askSeveral({ title: `${titleOf(change)}: ticked ones are changed` }, choices, {
    placeholder,
  });
  if (chosen.length === 0)
    throw new NotPossibleError("No deployment is ticked.", "Tick those to be changed.");
  return chosen;
}

/** All secrets that each deployment is to have: the platform drops those that are not sent. */
async function askSecrets(
  { connections }: Services,
  change: BulkChange,
  planned: readonly Planned[],
): Promise<BulkSecrets> {
  if (change.kind !== "secret") return new Map();
  const own = await secretValues(titleOf(change), [{ name: change.name }]);
  const all = new Map<string, readonly Secret[]>();
  for (const one of planned) {
    const connectionName = connections.get(one.connectionId)?.name ?? one.connectionId;
    const names = one.otherSecrets.map((name) => ({ name }));
    const others =
      names.length === 0
        ? []
        : await secretValues(`Other secrets of “${one.name}” on ${connectionName}`, names);
    all.set(keyOf(one), [...others, ...own]);
  }
  return all;
}

async function readAll(services: Services, refs: readonly DeploymentRef[]) {
  const distinct = [...new Map(refs.map((ref) => [keyOf(ref), ref])).values()];
  return Promise.all(
    distinct.map(async ({ connectionId, deploymentId }) => {
      const deployment = await services.deployments.get({ connectionId, deploymentId });
      return { connectionId, deploymentId, deployment, name: nameOf({ id: deploymentId, deployment }) };
    }),
  );
}

/** Those that are still there; one that was deleted meanwhile is told of when its turn comes. */
async function readLeft(services: Services, refs: readonly DeploymentRef[]) {
  const read = await Promise.all(refs.map((ref) => readAll(services, [ref]).catch(unlessGone)));
  return read.flatMap((one) => one ?? []);
}

/** Those that the view's filter wants on the connections that are shown. */
async function wantedByFilter({ connections, deployments, hiddenConnections, platforms }: Services) {
  const shown = hiddenConnections.shownOf(connections.list());
  const asked = shown.filter(({ id }) => platforms.hasControlPlane(id));
  if (asked.length === 0)
    throw new NotPossibleError("No connection has deployments.", "Add a platform.", ["addConnection"]);
  return askEachAloud(asked, async ({ id: connectionId }) => {
    const all = await deployments.all(connectionId);
    return all
      .filter((facts) => isWanted(facts, deployments.filter))
      .flatMap(({ id: deploymentId, deployment }) =>
        deployment === undefined
          ? []
          : [{ connectionId, deploymentId, deployment, name: nameOf({ id: deploymentId, deployment }) }],
      );
  });
}

function itemOf({ connectionId, deploymentId, deployment, name, words, without }: Planned): DeploymentItem {
  const before = deployment.latest_revision_id ?? null;
  const base = { connectionId, deploymentId, name, before, words };
  return without === undefined
    ? { ...base, state: "waiting" }
    : { ...base, state: "left", said: `${capitalized(without)}.` };
}
