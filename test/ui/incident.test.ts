import { AgentServer } from "../../src/api/agentServer/index.ts";
import { Http } from "../../src/api/http.ts";
import { useWorkbench } from "../host/workbench.ts";
import { type PeerServer, startAgentServer } from "../peers/server.ts";
import { repairIncident } from "./incident.ts";
import { useKeyboardAlone } from "./pages/keyboardAlone.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";

describe("An incident on a real agent server, by keyboard alone", () => {
  const workbench = useWorkbench({ settings: { "agentOperations.refreshSeconds": 2 } });
  useKeyboardAlone(workbench);
  let server: PeerServer;

  before(async () => {
    server = await startAgentServer();
  });
  after(() => server.stop());

  it("is repaired from the Failures view to the report, each thread once", async () => {
    const window = new WorkbenchPage(workbench.page);
    await window.sideBar.open();
    await window.addConnection(/Agent server/, [server.url, "Bakery", ""], "Bakery");
    await repairIncident({
      ...{ window, name: "Bakery", server: new AgentServer(new Http({ baseUrl: server.url })) },
      take: (name) => window.look(`incident-real-${name}`),
    });
  });
});
