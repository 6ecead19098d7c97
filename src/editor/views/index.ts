/** Every view of the sidebar: known to the editor at once, and loaded when it is seen or has something to show. */

import type * as vscode from "vscode";
import { isPlatform } from "../connections/connection.ts";
import { isProtected } from "../connections/mark.ts";
import { setContext } from "../kit/contexts.ts";
import { CONTEXTS, VIEWS } from "../kit/ids.ts";
import type { Later, LaterPart, Made } from "../kit/later.ts";
import type { Core, Services } from "../services.ts";
import type { ActivityView } from "./activity.ts";
import type { AgentsView } from "./agents/agents.ts";
import type { DeploymentsView } from "./deployments/deployments.ts";
import type { DestinationsView } from "./destinations/destinations.ts";
import type { FailuresView } from "./failures/failures.ts";
import type { InboxView } from "./threads/inbox.ts";
import type { IssuesView } from "./issues/issues.ts";
import { type EditorView, laterView } from "./platform/laterView.ts";
import type { NodeTree } from "../kit/tree/nodeTree.ts";
import type { ToolServersView } from "./toolServers/toolServers.ts";

/** The views before they are seen. */
export interface LaterViews {
  readonly deployments: Later<DeploymentsView>;
  readonly agents: Later<AgentsView>;
  readonly inbox: Later<InboxView>;
  readonly failures: Later<FailuresView>;
  readonly destinations: Later<DestinationsView>;
  readonly issues: Later<IssuesView>;
  readonly activity: Later<ActivityView>;
  readonly toolServers: Later<ToolServersView>;
}

/** The views, for commands that change what they show. */
export type Views = Made<LaterViews>;

interface PlatformPart extends LaterPart {
  readonly platform: { readonly nodes: NodeTree };
}

/** Registers them; none asks a server before it is seen. */
export function createViews(core: Core, services: Later<Services>): LaterViews {
  const rows = { canSelectMany: true, showCollapseAll: true };
  const visibleViews = new Set<string>();
  let noneSeen = new AbortController();
  // Badges and the status bar count what waits on every connection, unfolded or not, while any view is seen.
  const seen = (viewId: string, visible: boolean): void => {
    if (!visible) {
      visibleViews.delete(viewId);
      if (visibleViews.size === 0) noneSeen.abort();
      return;
    }
    visibleViews.add(viewId);
    if (noneSeen.signal.aborted) noneSeen = new AbortController();
    const { signal } = noneSeen;
    if (core.connections.list().length > 0) void services.get().then(({ inbox }) => inbox.countAgain(signal));
  };
  /** A connection can be asked that could not be asked before; the Inbox, where it is seen, lists then. */
  const countAnew = (): void => {
    if (visibleViews.size === 0 || visibleViews.has(VIEWS.inbox)) return;
    void services.get().then(({ inbox }) => inbox.countAgain(noneSeen.signal, true));
  };
  /** A view of what platforms have: one row a connection, several can be picked. */
  const ofPlatforms = <View extends PlatformPart>(
    id: string,
    make: (services: Services, view: EditorView) => Promise<View>,
  ): Later<View> =>
    laterView(
      id,
      rows,
      async (view) => make(await services.get(), view),
      ({ platform }) => platform.nodes,
      seen,
    );
  const views: LaterViews = {
    deployments: ofPlatforms(VIEWS.deployments, async (made, view) => {
      const { DeploymentsView } = await import("./deployments/deployments.ts");
      return new DeploymentsView(made, view);
    }),
    activity: laterView(
      VIEWS.activity,
      {},
      async (view) => new (await import("./activity.ts")).ActivityView(core, view),
      ({ nodes }) => nodes,
      seen,
    ),
    toolServers: ofPlatforms(VIEWS.toolServers, async (made, view) => {
      const { ToolServersView } = await import("./toolServers/toolServers.ts");
      return new ToolServersView(made, view);
    }),
    agents: ofPlatforms(VIEWS.agents, async (made, view) => {
      const { AgentsView } = await import("./agents/agents.ts");
      return new AgentsView(made, view);
    }),
    inbox: laterView(
      VIEWS.inbox,
      rows,
      async (view) => new (await import("./threads/inbox.ts")).InboxView(await services.get(), view),
      ({ polled }) => polled.nodes,
      seen,
    ),
    failures: laterView(
      VIEWS.failures,
      rows,
      async (view) => new (await import("./failures/failures.ts")).FailuresView(await services.get(), view),
      ({ polled }) => polled.nodes,
      seen,
    ),
    destinations: ofPlatforms(VIEWS.destinations, async (made, view) => {
      const { DestinationsView } = await import("./destinations/destinations.ts");
      return new DestinationsView(made, view);
    }),
    issues: laterView(
      VIEWS.issues,
      rows,
      async (view) => new (await import("./issues/issues.ts")).IssuesView(await services.get(), view),
      ({ nodes }) => nodes,
      seen,
    ),
  };
  setContexts(core);
  wakeOn(core.waitingThreads.onDidChange, views.inbox);
  wakeOn(core.activity.onDidChange, views.activity);
  void services.made.then(({ agents, apiKeys, failures, inbox, issueWebhooks, toolServers }) => {
    let counted = addressesIn(core);
    const addresses = core.connections.onDidChange(() => {
      const before = counted;
      counted = addressesIn(core);
      if (counted !== before) countAnew();
    });
    core.context.subscriptions.push(apiKeys.onDidChange(countAnew), addresses);
    wakeOn(agents.onDidChange, views.agents);
    wakeOn(inbox.onDidChange, views.inbox);
    wakeOn(failures.onDidChange, views.failures);
    wakeOn(issueWebhooks.onDidChange, views.issues);
    wakeOn(toolServers.onDidChange, views.toolServers);
  });
  return views;
}

/** What can be asked: who has another address, or begins to run, is counted anew. */
function addressesIn({ connections, localPlatform }: Core): string {
  return JSON.stringify([connections.list().map(({ id, url }) => [id, url]), localPlatform.state.kind]);
}

/** Managed agents, tool servers and destinations belong to platforms; steps of walkthroughs end by the others. */
function setContexts({ connections, context, localPlatform }: Core): void {
  const update = (): void => {
    const all = connections.list();
    const has = all.some(isPlatform);
    setContext(CONTEXTS.noPlatform, all.length > 0 && !has);
    if (all.some(({ kind }) => kind === "platform")) setContext(CONTEXTS.connects, true);
    if (all.some(isProtected)) setContext(CONTEXTS.protects, true);
    if (localPlatform.state.kind === "running") setContext(CONTEXTS.localPlatformRan, true);
  };
  context.subscriptions.push(connections.onDidChange(update), localPlatform.onDidChange(update));
  update();
}

/** A badge or a description can be seen although the rows are not: the first change makes the views. */
function wakeOn<T>(event: vscode.Event<T>, ...views: readonly Later<LaterPart>[]): void {
  const once = event(() => {
    once.dispose();
    for (const view of views) void view.get();
  });
}
