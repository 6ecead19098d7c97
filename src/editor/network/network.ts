/** The dispatcher that the editor's own `http.*` settings ask for, made anew when they change. */

import type { Dispatcher } from "undici";
import * as vscode from "vscode";
import { isScript, type NetworkSettings, proxyFor } from "./proxy.ts";

/** Gives the dispatcher for the current settings. */
export class Network implements vscode.Disposable {
  readonly #subscription: vscode.Disposable;
  #dispatcher: Promise<Dispatcher> | undefined;

  constructor() {
    this.#subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration("http")) return;
      // The old dispatcher is left to its streams; its idle sockets close by themselves.
      this.#dispatcher = undefined;
    });
  }

  async dispatcher(): Promise<Dispatcher> {
    this.#dispatcher ??= import("./dispatcher.ts").then(({ createDispatcher }) =>
      createDispatcher(readNetworkSettings(), process.env),
    );
    return this.#dispatcher;
  }

  /** The proxy's URL for a request, undefined for a direct one. */
  proxyFor(url: string): string | undefined {
    return proxyFor(url, readNetworkSettings(), process.env);
  }

  /** The configured proxy when it is a PAC file, which is not evaluated. */
  get pacUrl(): string | undefined {
    const { proxy } = readNetworkSettings();
    return isScript(proxy) ? proxy : undefined;
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

/** The user's `http.*` settings; a workspace's are not asked, so that it can't send requests elsewhere. */
function readNetworkSettings(): NetworkSettings {
  const proxy = userValue("proxy", "");
  return {
    ...(proxy.trim() === "" ? {} : { proxy: proxy.trim() }),
    noProxy: userValue<readonly string[]>("noProxy", []),
    strictSSL: userValue("proxyStrictSSL", true),
    systemCertificates: userValue("systemCertificates", true),
    proxyAuthorization: userValue<string | null>("proxyAuthorization", null),
    proxySupport: userValue("proxySupport", "override"),
  };
}

function userValue<T>(key: string, otherwise: T): T {
  const found = vscode.workspace.getConfiguration("http").inspect<T>(key);
  return found?.globalValue ?? found?.defaultValue ?? otherwise;
}
