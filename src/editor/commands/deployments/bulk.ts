/** Changing many deployments: what is changed where is shown first, and each protected connection asks by its name. */

import type { Deployment, Secret } from "../../../api/controlPlane/wire.ts";
import type { DeploymentRef } from "../../connections/connection.ts";
import { confirmTogether } from "../../connections/guard.ts";
import { markedLabel } from "../../connections/mark.ts";
import { type BulkChange, type Outlook, outlookOf, titleOf } from "../../deployments/bulk/bulkChange.ts";
import { type BulkSecrets, keyOf } from "../../deployments/bulk/bulkChanges.ts";
import {
  type BulkItem,
  type BulkJob,
  jobTitle,
  placeOf,
  progressText,
} from "../../deployments/bulk/bulkJob.ts";
import { nameOf } from "../../deployments/deploymentFacts.ts";
import { isFiltering, isWanted } from "../../deployments/deploymentFilter.ts";
import type { BulkReports } from "../../documents/bulkReports.ts";
import { meant, refOf } from "../../kit/ask/meant.ts";
import { askChoice, askSeveral } from "../../kit/ask/questions.ts";
import type { CommandsOf } from "../../kit/commands.ts";
import { NotPossibleError } from "../../kit/remedies.ts";
import { counted, localTime, oneLine, withoutIcons } from "../../kit/words.ts";
import type { Services } from "../../services.ts";
import type { Views } from "../../views/index.ts";
import { askEach } from "../connections/connectionChoice.ts";
import { askChange } from "./bulkQuestions.ts";
import { secretValues } from "./deploymentSecrets.ts";

/** A deployment as it is now, with what the change would do to it. */
interface Planned extends DeploymentRef, Outlook {
  readonly deployment: Deployment;
  readonly name: string;
}

interface Surfaces {
  readonly bulkReports: BulkReports;
  readonly views: Pick<Views, "deployments">;
}

const mostNamed = 20;

/** The commands of changes of many deployments. */
export function commands(services: Services, { bulkReports, views }: Surfaces): CommandsOf<"bulk"> {
  return {
    "agentOperations.bulk.begin": async (...args) => {
      const selected = views.deployments.platform.view.selection.flatMap(
        (row) => refOf(row, "deploymentId") ?? [],
      );
      await begin(services, meant(args, "deploymentId") ?? (selected.length > 1 ? selected : undefined));
    },
    "agentOperations.bulk.goOn": async (named) => {
      await goOn(services, await jobMeant(services, refOf(named, "bulkId")?.bulkId));
    },
    "agentOperations.bulk.openReport": async (named) => {
      const id = refOf(named, "bulkId")?.bulkId;
      if (id !== undefined) await bulkReports.show(id);
    },
  };
}

async function begin(services: Services, refs: readonly DeploymentRef[] | undefined): Promise<void> {
  const read = refs === undefined ? await wantedByFilter(services) : await readAll(services, refs);
  const change = await askChange(read.map(({ deployment }) => deployment));
  const planned = read.map((one): Planned => ({ ...one, ...outlookOf(one.deployment, change) }));
  const isMarked = refs !== undefined || isFiltering(services.deployments.filter);
  const chosen = await preview(services, change, planned, isMarked);
  const secrets = await askSecrets(services, change, chosen);
  const used = new Set(chosen.map(({ connectionId }) => connectionId));
  const unchanged = planned.filter((one) => one.without !== undefined && used.has(one.connectionId));
  const items = [...chosen, ...(isMarked ? unchanged : [])].map(itemOf);
  const places = await agree(services, { change, items });
  await services.bulkChanges.begin({ change, places, items, isTried: false }, secrets);
}

/** Goes on with what another window or an earlier session left; it is agreed to anew. */
async function goOn(services: Services, job: BulkJob): Promise<void> {
  const open = job.items.filter(({ state }) => state === "waiting" || state === "sending");
  const known = open.filter(({ connectionId }) => services.connections.get(connectionId) !== undefined);
  const read = await readAll(services, job.change.kind === "secret" ? known : []);
  const planned = read.map((one): Planned => ({ ...one, ...outlookOf(one.deployment, job.change) }));
  const secrets = await askSecrets(services, job.change, planned);
  const agreed = known.length === 0 ? [] : await agree(services, { change: job.change, items: known });
  const places = job.places.map(
    (old) => agreed.find((place) => place.connectionId === old.connectionId) ?? old,
  );
  await services.bulkChanges.carryOut({ ...job, places }, secrets);
}

/** Says what is changed where, and asks; the answer is what was agreed to about each connection. */
async function agree(
  { connections }: Services,
  { change, items }: Pick<BulkJob, "change" | "items">,
): Promise<BulkJob["places"]> {
  const sent = items.filter(({ state }) => state !== "left");
  const used = [...new Set(sent.map(({ connectionId }) => connectionId))].map((id) =>
    connections.resolve(id),
  );
  const placeName = (id: string): string => oneLine(connections.get(id)?.name ?? id);
  const line = ({ name, connectionId, words, said = "" }: BulkItem): string =>
    `${oneLine(name)} on ${placeName(connectionId)}: ${words === "" ? said : words}`;
  const left = items.filter(({ state }) => state === "left");
  const shown = [...sent.slice(0, mostNamed), ...left.slice(0, mostNamed)].map(line);
  const more = items.length - shown.length;
  const detail = [
    ...shown,
    ...(more === 0 ? [] : [`and ${String(more)} more`]),
    ...(sent.length > 1 ? ["", "One is changed first; then you are asked whether to go on."] : []),
  ];
  const question = `${jobTitle({ change, items: sent })}?`;
  const verb = change.kind === "redeploy" ? "Redeploy" : "Change";
  await confirmTogether(used, { question, detail: detail.join("\n"), verb, always: true });
  return used.map(placeOf);
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
    const place = connections.get(one.connectionId)?.name ?? one.connectionId;
    const names = one.otherSecrets.map((name) => ({ name }));
    const others =
      names.length === 0 ? [] : await secretValues(`Other secrets of “${one.name}” on ${place}`, names);
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

/** Those that the view's filter wants on the connections that are shown. */
async function wantedByFilter({ connections, deployments, hiddenConnections, platforms }: Services) {
  const shown = hiddenConnections.shownOf(connections.list());
  const asked = shown.filter(({ id }) => platforms.hasControlPlane(id));
  if (asked.length === 0)
    throw new NotPossibleError("No connection has deployments.", "Add a platform.", ["addConnection"]);
  return askEach(asked, async ({ id: connectionId }) => {
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

async function jobMeant({ bulkChanges }: Services, id: string | undefined): Promise<BulkJob> {
  const jobs = await bulkChanges.unfinished();
  const named = jobs.find((job) => job.id === id);
  if (named !== undefined) return named;
  const [first, ...others] = jobs;
  if (first === undefined)
    throw new NotPossibleError("No change of deployments is left unfinished.", "Begin one first.");
  if (others.length === 0) return first;
  const choices = jobs.map((value) => ({
    label: withoutIcons(jobTitle(value)),
    description: localTime(new Date(value.startedAt).toISOString()),
    detail: progressText(value),
    value,
  }));
  return askChoice({ title: "Go On with Change of Deployments" }, choices, { placeholder: "Which one?" });
}

function itemOf({ connectionId, deploymentId, deployment, name, words, without }: Planned): BulkItem {
  const before = deployment.latest_revision_id ?? null;
  const base = { connectionId, deploymentId, name, before, words };
  return without === undefined
    ? { ...base, state: "waiting" }
    : { ...base, state: "left", said: `${without.charAt(0).toUpperCase()}${without.slice(1)}.` };
}
