import { AgentServer } from "../../src/api/agentServer/index.ts";
import { Http } from "../../src/api/http.ts";
import { Workbench } from "../host/workbench.ts";
import { startAgentServer } from "../peers/server.ts";
import { repairIncident } from "./incident.ts";
import { WorkbenchPage } from "./pages/workbenchPage.ts";
import { describeThemed } from "./themedPictures.ts";

describeThemed("Pictures of an incident on a real agent server", (options, take) => {
  it("from the Failures view to the report", async () => {
    const server = await startAgentServer();
    const settings = { ...options.settings, "agentOperations.refreshSeconds": 2 };
    const workbench = new Workbench({ ...options, settings });
    try {
      await workbench.open();
      const window = new WorkbenchPage(workbench.page);
      await window.sideBar.open();
      await window.addConnection(/Agent server/, [server.url, "Bakery", ""], "Bakery");
      await repairIncident({
        ...{ window, name: "Bakery", server: new AgentServer(new Http({ baseUrl: server.url })) },
        take: (name) => take(window, `incident-${name}`),
      });
    } catch (error) {
      await workbench.record("an incident");
      throw error;
    } finally {
      await workbench.close();
      await server.stop();
    }
  });
});
