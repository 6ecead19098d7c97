import { Bin, ExportClient } from "./exportClient.ts";
import { LocalPlatform, say, text } from "../../../support/localPlatform.ts";

/** A Local Platform with one recorded run, a bucket that takes everything, and a destination in it. */
export class ExportBench {
  readonly bin: Bin;
  readonly destination: string;
  platform: LocalPlatform;
  client: ExportClient;

  private constructor(bin: Bin, platform: LocalPlatform, client: ExportClient, destination: string) {
    this.bin = bin;
    this.platform = platform;
    this.client = client;
    this.destination = destination;
  }

  static async start(): Promise<ExportBench> {
    const bin = await Bin.start();
    const platform = await LocalPlatform.start();
    const client = new ExportClient(platform);
    const thread = await platform.thread();
    await platform.join(thread, await platform.run(thread, { assistant_id: "echo", input: say("x") }));
    const { body } = await client.send("POST", "/destinations", bin.order());
    return new ExportBench(bin, platform, client, text(body.id));
  }

  /** Starts the platform again on the same data. */
  async restart(between: () => void): Promise<void> {
    const { directory } = this.platform;
    await this.platform.stop();
    between();
    this.platform = await LocalPlatform.start(directory);
    this.client = new ExportClient(this.platform);
  }

  async stop(): Promise<void> {
    await this.platform.remove();
    this.bin.stop();
  }
}
