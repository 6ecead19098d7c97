/** A process that repairs threads as a window of the editor does, to be killed: `FOLDER JOB URL KEY`. Prints each thread that is done. */

import { AgentServer } from "../../src/api/agentServer/index.ts";
import { Http } from "../../src/api/http.ts";
import { BulkRecords } from "../../src/editor/bulk/bulkRecords.ts";
import { goOn } from "./repairedThreads.ts";

const [folder = "", id = "", baseUrl = "", apiKey = ""] = process.argv.slice(2);
const done = ({ items }: { readonly items: readonly { readonly state: string }[] }): number =>
  items.filter(({ state }) => state === "done").length;
const headers = () => Promise.resolve({ "x-api-key": apiKey });
const server = new AgentServer(new Http({ baseUrl, headers }));
const job = await goOn(new BulkRecords(folder), id, server, (now) => {
  console.log(`done ${String(done(now))}`);
});
console.log(`over ${String(done(job))}`);
