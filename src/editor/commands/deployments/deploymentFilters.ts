/** Asking which deployments are wanted: a new filter, one that was saved, or what to do with the one that is on. */

import {
  type DeploymentFilter,
  type DeploymentOrder,
  deploymentFilterFrom,
  describeDeploymentFilter,
  ORDERS,
  type SavedFilter,
} from "../../deployments/deploymentFilter.ts";
import type { Deployments } from "../../deployments/deployments.ts";
import { type StateKind, STATES } from "../../deployments/deploymentState.ts";
import { statusText } from "../../deployments/revisionStatus.ts";
import { askSteps } from "../../kit/ask/form.ts";
import { askChoice, askText, type Choice } from "../../kit/ask/questions.ts";
import { capitalized, withoutIcons } from "../../kit/words.ts";

const title = "Filter Deployments";

type Deed =
  | { readonly kind: "new" | "clear" | "save" | "remove" }
  | { readonly kind: "use"; readonly filter: DeploymentFilter };

/** Sets another filter, or saves or removes one. */
export async function filterDeployments(deployments: Deployments): Promise<void> {
  const { filter, saved } = deployments;
  const deed = await askDeed(filter, saved.all);
  switch (deed.kind) {
    case "new":
      await deployments.setFilter(await askFilter(deployments));
      break;
    case "use":
      await deployments.setFilter(deed.filter);
      break;
    case "clear":
      await deployments.setFilter({});
      break;
    case "save":
      await saved.save({ name: await askName(filter), filter });
      break;
    case "remove":
      await saved.remove(await askSaved(saved.all));
      break;
    default:
      deed satisfies never;
  }
}

/** Asks what to do with filters; without a saved or an active one, only a new one is possible. */
async function askDeed(filter: DeploymentFilter, saved: readonly SavedFilter[]): Promise<Deed> {
  const words = describeDeploymentFilter(filter);
  if (words === "" && saved.length === 0) return { kind: "new" };
  const offered: readonly (readonly [Choice<Deed>, boolean])[] = [
    [choice("$(filter) Choose What Is Shown…", words, { kind: "new" }), true],
    [choice("$(clear-all) Show All", "", { kind: "clear" }), words !== ""],
    [choice("$(save) Save This Filter…", words, { kind: "save" }), words !== ""],
    [choice("$(trash) Remove a Saved Filter…", "", { kind: "remove" }), saved.length > 0],
  ];
  const [first, ...others] = offered.flatMap(([one, isOffered]) => (isOffered ? [one] : []));
  const kept = saved.map(({ name, filter: other }) =>
    choice(`$(bookmark) ${withoutIcons(name)}`, describeDeploymentFilter(other), {
      kind: "use",
      filter: other,
    }),
  );
  const choices = [...(first === undefined ? [] : [first]), ...kept, ...others];
  return askChoice({ title }, choices, { placeholder: "Which deployments?" });
}

function choice(label: string, description: string, value: Deed): Choice<Deed> {
  return { label, description, value };
}

interface Asked {
  readonly name: string;
  /** A state, a status of the platform's own with "status:" before it, or "" for any. */
  readonly how: string;
  readonly order: DeploymentOrder | "";
}

const ofPlatform = "status:";

/** A part of the name, then how it is, then the order; each may be left open. */
async function askFilter({ filter, statuses }: Deployments): Promise<DeploymentFilter> {
  const { name = "", state, status, order = "" } = filter;
  const start: Asked = { name, how: state ?? (status === undefined ? "" : ofPlatform + status), order };
  const asked = await askSteps({ title }, start, () => [
    async (heading, draft) => {
      const prompt = "A part of the name. Leave it empty for any name.";
      return {
        ...draft,
        name: await askText(heading, { prompt, placeholder: "support", value: draft.name }),
      };
    },
    async (heading, draft) => {
      const states = (Object.keys(STATES) as StateKind[]).map((value) => {
        return { label: capitalized(STATES[value]), description: stateHints[value], value: value };
      });
      const others = statuses.map((value) => {
        return {
          label: `Status ${statusText(value)}`,
          description: "as the platform says",
          value: ofPlatform + value,
        };
      });
      const choices = [{ label: "Any", value: "" }, ...states, ...others];
      const question = { placeholder: "In which state?", active: draft.how };
      return { ...draft, how: await askChoice(heading, choices, question) };
    },
    async (heading, draft) => {
      const orders = (Object.keys(ORDERS) as DeploymentOrder[]).map((value) => {
        return { label: `By ${ORDERS[value]}`, value: value };
      });
      const choices = [{ label: "As the platform lists them", value: "" as const }, ...orders];
      const question = { placeholder: "In which order?", active: draft.order };
      return { ...draft, order: await askChoice<Asked["order"]>(heading, choices, question) };
    },
  ]);
  const { how } = asked;
  const found = how.startsWith(ofPlatform) ? { status: how.slice(ofPlatform.length) } : how && { state: how };
  return deploymentFilterFrom({
    ...(asked.name && { name: asked.name }),
    ...(found || {}),
    ...(asked.order && { order: asked.order }),
  });
}

function askName(filter: DeploymentFilter): Promise<string> {
  return askText(
    { title: "Save This Filter" },
    {
      prompt: "What the filter is called; one of the same name is replaced.",
      value: describeDeploymentFilter(filter),
      problem: (text) => (text === "" ? "Enter a name." : undefined),
    },
  );
}

function askSaved(saved: readonly SavedFilter[]): Promise<string> {
  const choices = saved.map(({ name, filter }) => {
    return { label: withoutIcons(name), description: describeDeploymentFilter(filter), value: name };
  });
  return askChoice({ title: "Remove a Saved Filter" }, choices, { placeholder: "Which filter?" });
}

const stateHints: Readonly<Record<StateKind, string>> = {
  failed: "the latest revision failed, although an earlier one may serve",
  pending: "something is built, deployed or deleted",
  unknown: "as the platform spells it",
  stopped: "nothing serves",
  serving: "the latest revision serves",
};
