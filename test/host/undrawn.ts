import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, CDPSession } from "playwright-core";

import type { HostPage } from "./extensionHost.ts";

/** Let a browser without a window wait with a page's frames until it is told to draw one. */
export const drawsWhenTold = ["--enable-begin-frame-control", "--run-all-compositor-stages-before-draw"];

type Values = Readonly<Record<string, unknown>>;

/** What the page's end of the protocol says: an answer has the number of its command, an event has none. */
interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params: Values;
  readonly result?: Values;
  readonly error?: { readonly message: string };
}

/**
 * A page that nobody looks at. It is not drawn, and the driver, which would read all that the editor and its server tell
 * each other, does not know of it: an editor needs four tenths less processor time. A browser that does not wait until it
 * is told draws it as always.
 */
export class UndrawnPage implements HostPage {
  readonly #browser: CDPSession;
  readonly #sessionId: string;
  readonly #commands = new Map<number, PromiseWithResolvers<Values>>();
  readonly #listeners: { readonly method: string; readonly call: (params: Values) => void }[] = [];
  #commandCount = 0;

  private constructor(browser: CDPSession, sessionId: string) {
    this.#browser = browser;
    this.#sessionId = sessionId;
    browser.on("Target.receivedMessageFromTarget", (event) => {
      if (event.sessionId === sessionId) this.#receive(JSON.parse(event.message) as Message);
    });
  }

  /** Opens an empty one with storage of its own. */
  static async open(browser: Browser): Promise<UndrawnPage> {
    const session = await browser.newBrowserCDPSession();
    const { browserContextId } = await session.send("Target.createBrowserContext");
    const { targetId } = await session.send("Target.createTarget", {
      url: "about:blank",
      browserContextId,
      enableBeginFrameControl: true,
      width: 800,
      height: 500,
    });
    const { sessionId } = await session.send("Target.attachToTarget", { targetId });
    const page = new UndrawnPage(session, sessionId);
    for (const domain of ["Inspector", "Page", "Runtime"]) await page.#send(`${domain}.enable`);
    await page.#runFirst(await readFile(join(import.meta.dirname, "undrawn.js"), "utf8"));
    return page;
  }

  async exposeFunction(name: string, called: (...values: never[]) => unknown): Promise<void> {
    const binding = `${name}Json`;
    await this.#send("Runtime.addBinding", { name: binding });
    await this.#runFirst(`window.${name} = async (...values) => ${binding}(JSON.stringify(values));`);
    this.#listen("Runtime.bindingCalled", (event) => {
      if (event["name"] === binding) called(...(JSON.parse(String(event["payload"])) as never[]));
    });
  }

  on(event: "crash" | "pageerror", listener: (error: Error) => void): void {
    if (event === "crash") this.#listen("Inspector.targetCrashed", () => listener(new Error("It crashed.")));
    else
      this.#listen("Runtime.exceptionThrown", (thrown) => {
        const { text, exception } = thrown["exceptionDetails"] as {
          readonly text: string;
          readonly exception?: { readonly description?: string };
        };
        listener(new Error(exception?.description ?? text));
      });
  }

  async goto(url: string): Promise<void> {
    const { errorText } = await this.#send("Page.navigate", { url });
    if (typeof errorText === "string") throw new Error(`The page was not opened: ${errorText}`);
  }

  /** Draws it until its picture is taken. */
  async screenshot({ path }: { readonly path: string }): Promise<void> {
    const taken = new AbortController();
    const drawing = (async () => {
      // One after the other: to ask for a frame before the last one is drawn is an error.
      while (!taken.signal.aborted) {
        await this.#send("HeadlessExperimental.beginFrame");
        await pause(50);
      }
    })().catch(() => undefined);
    const { data } = await this.#send("Page.captureScreenshot").finally(() => taken.abort());
    await drawing;
    await writeFile(path, String(data), "base64");
  }

  async #runFirst(source: string): Promise<void> {
    await this.#send("Page.addScriptToEvaluateOnNewDocument", { source });
  }

  async #send(method: string, params: Values = {}): Promise<Values> {
    const id = (this.#commandCount += 1);
    const command = Promise.withResolvers<Values>();
    this.#commands.set(id, command);
    const message = JSON.stringify({ id, method, params });
    await this.#browser.send("Target.sendMessageToTarget", { message, sessionId: this.#sessionId });
    return command.promise;
  }

  #listen(method: string, call: (params: Values) => void): void {
    this.#listeners.push({ method, call });
  }

  #receive({ id, method, params, result, error }: Message): void {
    if (id === undefined) {
      for (const listener of this.#listeners) if (listener.method === method) listener.call(params);
      return;
    }
    const command = this.#commands.get(id);
    this.#commands.delete(id);
    if (error === undefined) command?.resolve(result ?? {});
    else command?.reject(new Error(error.message));
  }
}
