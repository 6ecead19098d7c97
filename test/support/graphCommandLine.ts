/** A command line in place of the platform's own: it runs no graphs, and does what a test wants to see. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const program = `
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
const { LANGGRAPH_CLI_NO_ANALYTICS: uncounted, BROWSER: browser } = process.env;
writeFileSync("cli.pid", String(process.pid));
writeFileSync("asked", [uncounted, browser, ...process.argv.slice(2)].join(" "));
const port = Number(process.argv[process.argv.indexOf("--port") + 1]);
const mode = readFileSync("mode", "utf8");
const child = spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"]);
writeFileSync("child.pid", String(child.pid));
const say = (text) => console.log(mode === "other words" ? "v2: " + text : "info:    ▪ " + text);
say("Starting server...");
if (mode.startsWith("taken")) {
  writeFileSync("mode", "well");
  console.error(mode.slice("taken ".length));
  process.exit(1);
} else if (mode === "silent") setInterval(() => 0, 1000);
else if (mode === "crash") throw new Error("It crashed at once.");
else if (mode === "broken") console.log("error:   ▪ Error: no graph"), setInterval(() => 0, 1000);
else {
  if (mode === "stubborn") process.on("SIGTERM", () => 0);
  if (mode === "debugged") console.error("Debugger listening on ws://127.0.0.1:1/one");
  if (mode === "talking") setInterval(() => say("Still there."), 50);
  const server = createServer((asked, answer) => {
    answer.end('{"ok":true}');
    if (asked.url === "/end") server.close();
    if (asked.url !== "/save") return;
    console.log("[tsx] change in ./a.mts Rerunning...");
    if (mode === "debugged") return server.close();
    setTimeout(() => (say("Starting server..."), say("Server running at it again")), 500);
  });
  server.listen(port, "127.0.0.1", () => say("Server running at 127.0.0.1:" + port));
}
`;

/** Puts it into a project; it behaves as the project's file `mode` says, and has a child as the real one does. */
export async function installCommandLine(folder: string): Promise<void> {
  const home = join(folder, "node_modules/@langchain/langgraph-cli");
  await mkdir(home, { recursive: true });
  const manifest = { version: "1.5.1", type: "module", bin: { langgraphjs: "cli.mjs" } };
  await writeFile(join(home, "package.json"), JSON.stringify(manifest));
  await writeFile(join(home, "cli.mjs"), program);
}
