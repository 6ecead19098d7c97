import { parseArgs } from "node:util";
import { startServer } from "./server.ts";

const usage = "Usage: emulator --data DIR [--port PORT] [--api-key KEY]";

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  // Whatever is written from here on, no other user of this machine may read.
  process.umask(0o077);
  const { values } = parseArgs({
    options: { port: { type: "string" }, data: { type: "string" }, "api-key": { type: "string" } },
  });
  const port = Number(values.port ?? "0");
  if (values.data === undefined || !Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(usage);
  const server = await startServer({ port, directory: values.data, apiKey: values["api-key"] });

  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error("The Local Platform did not stop cleanly:", error);
        process.exit(1);
      },
    );
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  // The process that started this one with a channel to it has ended.
  process.once("disconnect", stop);

  process.stdout.write(`${JSON.stringify(server.ready)}\n`);
}
