/** A connection is tried with what was typed before anything of it is kept. */

import * as vscode from "vscode";
import type { ProbeStep, ProbeTarget } from "../../../api/probe/index.ts";
import type { ConnectionSetting } from "../../connections/connection.ts";
import { environmentReference } from "../../connections/apiKeys.ts";
import { headersWith } from "../../connections/transport.ts";
import { abortable, showStatus, showWarning } from "../../kit/notice.ts";
import { adviceFor } from "../../kit/remedies.ts";
import type { Services } from "../../services.ts";
import { applicationUrl } from "../../threads/servers/chatBackends.ts";
import type { Draft } from "./connectionDraft.ts";
import { settingOf } from "./connectionFields.ts";

/** What a trial found out. */
interface Trial {
  /** The interfaces that answered, by name. */
  readonly answering: readonly string[];
  /** Why none did. */
  readonly error?: unknown;
  /** The workspace that the key belongs to, where the control plane names it. */
  readonly workspaceId?: string;
}

/** The steps of the way there, which say nothing of who answers. */
const route = ["Proxy", "DNS", "TCP", "TLS"];

/**
 * The draft once somebody answers at its addresses, or a person wants to keep it all the same; with its workspace where
 * the control plane tells it. `change` lets the person change it. The key that is stored of a `known` connection goes
 * where it was entered for, unless another one was typed.
 */
export async function tried(
  services: Services,
  start: Draft,
  change: (draft: Draft) => Promise<Draft>,
  known?: ConnectionSetting,
): Promise<Draft> {
  for (let draft = start; ; draft = await change(draft)) {
    const { answering, error, workspaceId } = await tryDraft(services, draft, known);
    const learned = workspaceId === undefined ? draft : { ...draft, workspaceId };
    if (error === undefined) {
      const where = workspaceId === undefined ? "" : ", and named its workspace";
      const text = `${draft.name} answered: ${answering.join(", ")}${where}`;
      showStatus(text, 10_000, "$(check) ");
      return learned;
    }
    const { message, remedy } = adviceFor(error);
    const [edit, save] = ["Edit", "Save Anyway"];
    const question = `“${draft.name}” does not answer. Save it?`;
    const answer = await showWarning(
      question,
      { modal: true, detail: `${message}\n\n${remedy}` },
      edit,
      save,
    );
    if (answer === save) return learned;
    if (answer !== edit) throw new vscode.CancellationError();
  }
}

/** Nothing leaves but to the addresses that were typed. */
async function tryDraft(services: Services, draft: Draft, known?: ConnectionSetting): Promise<Trial> {
  const setting = settingOf(draft);
  const variable = environmentReference(draft.key ?? "");
  const key = (variable === undefined ? draft.key : process.env[variable]) || undefined;
  return abortable(`Testing “${draft.name}”`, async (signal) => {
    try {
      const found: ProbeStep[] = [];
      const { network } = services;
      const { probe } = await import("../../../api/probe/index.ts");
      const dispatcher = await network.dispatcher();
      const proxyFor = (url: string): string | undefined => network.proxyFor(url);
      const stored = draft.key === undefined ? known : undefined;
      const headersFor = async (url: string): Promise<ReturnType<typeof headersWith>> =>
        headersWith(setting, stored === undefined ? key : await services.apiKeys.read(stored, url));
      const options = { targets: targetsOf(setting), dispatcher, headersFor, proxyFor, signal };
      for await (const step of probe(options)) found.push(step);
      const answering = found.filter(({ name, outcome }) => outcome === "ok" && !route.includes(name));
      if (answering.length === 0) {
        const failed = found.find(({ outcome }) => outcome === "failed");
        const error =
          found.find((step) => step.error !== undefined)?.error ??
          new Error(failed === undefined ? "Nothing answers." : `${failed.name}: ${failed.detail}.`);
        return { answering: [], error };
      }
      const names = new Set(answering.map(({ name }) => name.replace(/:.*$/, "").toLowerCase()));
      const workspaceId =
        setting.workspaceId ?? (await workspaceOf(setting, { headersFor, dispatcher, signal }));
      return { answering: [...names], ...(workspaceId !== undefined && { workspaceId }) };
    } catch (error) {
      return { answering: [], error: signal.aborted ? new Error("You cancelled the test.") : error };
    }
  });
}

interface Asking {
  readonly headersFor: (url: string) => Promise<Readonly<Record<string, string>>>;
  readonly dispatcher: Awaited<ReturnType<Services["network"]["dispatcher"]>>;
  readonly signal: AbortSignal;
}

/** Every deployment names the workspace it is in; a control plane that lists none does not tell. */
async function workspaceOf(
  { controlPlaneUrl, kind }: ReturnType<typeof settingOf>,
  { headersFor, dispatcher, signal }: Asking,
): Promise<string | undefined> {
  if (kind !== "platform" || controlPlaneUrl === undefined) return undefined;
  const [{ Http }, { ControlPlane }] = await Promise.all([
    import("../../../api/http.ts"),
    import("../../../api/controlPlane/index.ts"),
  ]);
  const headers = (): Promise<Readonly<Record<string, string>>> => headersFor(controlPlaneUrl);
  const http = new Http({ baseUrl: controlPlaneUrl, dispatcher, headers });
  try {
    const { deployments } = await new ControlPlane(http).deployments.page({ limit: 1 }, { signal });
    return deployments[0]?.tenant_id ?? undefined;
  } catch {
    // The trial has said whether the platform answers; the workspace can be typed.
    return undefined;
  }
}

function targetsOf({
  kind,
  url = "",
  controlPlaneUrl,
  dialect,
  agentServers = [],
}: ReturnType<typeof settingOf>): ProbeTarget[] {
  switch (kind) {
    case "agentServer":
      return [{ kind: "agentServer", url }];
    case "protocol":
      return [{ kind: "streamingProtocol", url: applicationUrl(url) }];
    case "platform":
      return [
        { kind: "managedAgents", url, dialect },
        ...(controlPlaneUrl === undefined ? [] : [{ kind: "controlPlane" as const, url: controlPlaneUrl }]),
        ...agentServers.map((server) => ({ kind: "agentServer" as const, url: server.url })),
      ];
    case "localPlatform":
    case "workspaceGraphs":
      return [];
    default:
      return kind satisfies never;
  }
}
