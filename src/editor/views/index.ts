/** Every view of the sidebar: known to the editor at once, and loaded when it is seen or has something to show. */

import type * as vscode from "vscode";
import { VIEWS } from "../kit/ids.ts";
import type { Later, LaterPart, Made } from "../kit/later.ts";
import { hasReceived } from "../kit/remembered.ts";
import type { Core, Services } from "../services.ts";
import type { ActivityView } from "./activity.ts";
import type { AgentsView } from "./agents/agents.ts";
import type { DeploymentsView } from "./deployments/deployments.ts";
import type { DestinationsView } from "./destinations/destinations.ts";
import type { InboxView } from "./threads/inbox.ts";
import type { IssuesView } from "./issues/issues.ts";
import { laterView } from "./platform/laterView.ts";
import type { ToolServersView } from "./toolServers/toolServers.ts";

/** The views before they are seen. */
export interface LaterViews {
  readonly deployments: Later<DeploymentsView>;
  readonly agents: Later<AgentsView>;
  readonly inbox: Later<InboxView>;
  readonly destinations: Later<DestinationsView>;
  readonly issues: Later<IssuesView>;
  readonly activity: Later<ActivityView>;
  readonly toolServers: Later<ToolServersView>;
}

/** The views, for commands that change what they show. */
export type Views = Made<LaterViews>;

/** Registers them; none asks a server before it is seen. */
export function createViews(core: Core, services: Later<Services>): LaterViews {
  const rows = { canSelectMany: true, showCollapseAll: true };
  const views: LaterViews = {
    deployments: laterView(
      VIEWS.deployments,
      rows,
      async (view) => {
        const { DeploymentsView } = await import("./deployments/deployments.ts");
        return new DeploymentsView(await services.get(), view);
      },
      ({ platform }) => platform.nodes,
    ),
    activity: laterView(
      VIEWS.activity,
      {},
      async (view) => {
        const { ActivityView } = await import("./activity.ts");
        return new ActivityView(core, view);
      },
      ({ nodes }) => nodes,
    ),
    toolServers: laterView(
      VIEWS.toolServers,
      rows,
      async (view) => {
        const { ToolServersView } = await import("./toolServers/toolServers.ts");
        return new ToolServersView(await services.get(), view);
      },
      ({ platform }) => platform.nodes,
    ),
    agents: laterView(
      VIEWS.agents,
      rows,
      async (view) => {
        const { AgentsView } = await import("./agents/agents.ts");
        return new AgentsView(await services.get(), view);
      },
      ({ platform }) => platform.nodes,
    ),
    inbox: laterView(
      VIEWS.inbox,
      {},
      async (view) => {
        const { InboxView } = await import("./threads/inbox.ts");
        return new InboxView(await services.get(), view);
      },
      ({ polled }) => polled.nodes,
    ),
    destinations: laterView(
      VIEWS.destinations,
      rows,
      async (view) => {
        const { DestinationsView } = await import("./destinations/destinations.ts");
        return new DestinationsView(await services.get(), view);
      },
      ({ platform }) => platform.nodes,
    ),
    issues: laterView(
      VIEWS.issues,
      rows,
      async (view) => {
        const { IssuesView } = await import("./issues/issues.ts");
        return new IssuesView(await services.get(), view);
      },
      ({ nodes }) => nodes,
    ),
  };
  wakeOn(core.waitingThreads.onDidChange, views.deployments, views.agents);
  wakeOn(core.activity.onDidChange, views.activity);
  void services.made.then(({ agents, inbox, issueWebhooks, toolServers }) => {
    wakeOn(agents.onDidChange, views.agents);
    wakeOn(inbox.onDidChange, views.inbox);
    wakeOn(issueWebhooks.onDidChange, views.issues);
    wakeOn(toolServers.onDidChange, views.toolServers);
  });
  if (hasReceived(core.context)) void views.issues.get();
  return views;
}

/** A badge or a description can be seen although the rows are not: the first change makes the views. */
function wakeOn<T>(event: vscode.Event<T>, ...views: readonly Later<LaterPart>[]): void {
  const once = event(() => {
    once.dispose();
    for (const view of views) void view.get();
  });
}
