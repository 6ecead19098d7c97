/** The reference tool server as a process of its own: prints its URL as one line, and ends with its standard input. */

import { parseArgs } from "node:util";
import { ToolServer } from "../support/toolServer.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    oauth: { type: "boolean", default: false },
    denies: { type: "boolean", default: false },
    lifetime: { type: "string", default: "3600" },
  },
});

const server = await ToolServer.start({ port: Number(values.port), oauth: values.oauth });
server.provider.denies = values.denies;
server.provider.lifetime = Number(values.lifetime);
console.log(server.url);
process.stdin.resume().once("end", () => void server.stop().then(() => process.exit()));
