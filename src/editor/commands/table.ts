/** Every command's handler, gathered from the files of their nouns. */

import type { ConnectionReports } from "../documents/connectionReport.ts";
import type { Services } from "../services.ts";
import type { Views } from "../views/index.ts";
import { connectionCommands } from "./connection.ts";
import { connectionKeyCommands } from "./connectionKey.ts";
import { connectionTestCommands } from "./connectionTest.ts";
import { deploymentsCommands } from "./deployments.ts";
import type { CommandTable } from "./index.ts";
import { localPlatformCommands } from "./localPlatform.ts";
import { runPanelCommands } from "./runPanel.ts";
import { threadCommands } from "./thread.ts";
import type { ThreadPlaces } from "./thread.ts";

/** Where commands show what they do. */
export interface CommandPlaces extends ThreadPlaces {
  readonly views: Views;
  readonly reports: ConnectionReports;
}

export function commandTable(services: Services, places: CommandPlaces): CommandTable {
  return {
    ...connectionCommands(services),
    ...connectionKeyCommands(services),
    ...connectionTestCommands(services, places.reports),
    ...localPlatformCommands(services),
    ...deploymentsCommands(places.views.deployments),
    ...threadCommands(services, places),
    ...runPanelCommands(places.panels),
    "agentOperations.log.show": () => services.log.show(),
  };
}
