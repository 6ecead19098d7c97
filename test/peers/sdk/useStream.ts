/** The React hook of the platform's own client, mounted in a page without a screen. */

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { until } from "../../support/until.ts";
import type { Json } from "./client.ts";
import type { Compared } from "./facts.ts";

type Options = Readonly<Record<string, unknown>>;

/** What the hook gives with each rendering; reading a property subscribes to what it is made of. */
export interface UseStream {
  readonly messages: readonly Json[];
  readonly values: Json;
  readonly isLoading: boolean;
  readonly isThreadLoading: boolean;
  readonly interrupt: { readonly id?: string; readonly value?: Json } | undefined;
  readonly error: unknown;
  readonly history: readonly Json[];
  submit(values: unknown, options?: Options): Promise<void>;
  stop(): Promise<void>;
  readonly getMessagesMetadata: (
    message: Json,
  ) => { readonly firstSeenState?: Json; readonly branchOptions?: unknown } | undefined;
}

/** A component that uses the hook. */
export interface Mounted {
  /** What the newest rendering gave. */
  readonly now: UseStream;
  /** Undefined until the first run made the thread. */
  readonly threadId: string | undefined;
  until(what: string, holds: (now: UseStream) => boolean): Promise<unknown>;
  unmount(): void;
}

interface React {
  readonly createElement: (component: () => null) => object;
  readonly useState: <T>(initial: T) => [T, (value: T) => void];
}
interface ReactDom {
  createRoot(element: object): { render(element: object): void; unmount(): void };
}
interface JsDom {
  readonly JSDOM: new (html: string, options: Options) => { readonly window: PageWindow };
}
interface PageWindow {
  readonly document: { createElement(name: string): object };
  close(): void;
}

/** A page in which components are mounted; what it keeps of a session outlives them, as in a tab. */
export class HookPage {
  readonly #window: PageWindow;
  readonly #react: React;
  readonly #dom: ReactDom;
  readonly #useStream: (options: Options) => UseStream;

  private constructor(
    window: PageWindow,
    react: React,
    dom: ReactDom,
    hook: (options: Options) => UseStream,
  ) {
    this.#window = window;
    this.#react = react;
    this.#dom = dom;
    this.#useStream = hook;
  }

  /** React looks for a page when it is loaded, so there has to be one. */
  static async open(): Promise<HookPage> {
    const { JSDOM } = await load<JsDom>("jsdom");
    const { window } = new JSDOM("<!doctype html>", { url: "http://127.0.0.1/" });
    Object.assign(globalThis, { window, document: window.document });
    const { default: react } = await load<{ readonly default: React }>("react");
    const { default: dom } = await load<{ readonly default: ReactDom }>("react-dom/client");
    type Sdk = { readonly useStream: (options: Options) => UseStream };
    const { useStream } = await load<Sdk>("@langchain/langgraph-sdk/react");
    return new HookPage(window, react, dom, useStream);
  }

  /** `reads`: what the component looks at while it is drawn. */
  mount(
    { url, apiKey }: Compared,
    options: Options,
    reads: (stream: UseStream) => unknown = ({ messages, interrupt, isLoading }) => [
      messages,
      interrupt,
      isLoading,
    ],
  ): Mounted {
    const { createElement, useState } = this.#react;
    let now: UseStream | undefined;
    let threadId = options["threadId"] as string | undefined;
    const component = (): null => {
      const [id, setId] = useState(threadId);
      const onThreadId = (made: string) => setId((threadId = made));
      now = this.#useStream({
        apiUrl: url,
        apiKey,
        fetchStateHistory: { limit: 100 },
        ...options,
        threadId: id,
        onThreadId,
      });
      reads(now);
      return null;
    };
    const root = this.#dom.createRoot(this.#window.document.createElement("div"));
    root.render(createElement(component));
    const drawn = (): UseStream => {
      if (now === undefined) throw new Error("The component was not drawn yet.");
      return now;
    };
    return {
      get now() {
        return drawn();
      },
      get threadId() {
        return threadId;
      },
      until: (what, holds) => until(what, () => now !== undefined && holds(now), 15_000),
      unmount: () => root.unmount(),
    };
  }

  close(): void {
    this.#window.close();
    for (const name of ["window", "document"]) Reflect.deleteProperty(globalThis, name);
  }
}

async function load<T>(name: string): Promise<T> {
  const peer = createRequire(new URL("../langgraph/package.json", import.meta.url));
  return (await import(pathToFileURL(peer.resolve(name)).href)) as T;
}
