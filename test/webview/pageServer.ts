import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

/** A server of the built page as the editor would frame it. */
export interface PageServer {
  /** Scheme, host and port. */
  readonly origin: string;
  /** A page's address in a theme. */
  url(theme: Theme, page: PageName): string;
  close(): Promise<void>;
}

export type PageName = keyof typeof pages;

export type Theme = "dark" | "light" | "highContrast" | "highContrastLight";

const root = join(import.meta.dirname, "../..");
const folders: Readonly<Record<string, string>> = {
  dist: join(root, "dist"),
  media: join(root, "media"),
  themes: join(import.meta.dirname, "themes"),
  page: join(import.meta.dirname, "page"),
};
const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".ttf": "font/ttf",
};
/** The pages of the extension: the run panel's, the table's and a comparison's. */
const pages = {
  run: { script: "webview.js", styleSheet: "runPanel.css", title: "Run" },
  table: { script: "parquet.js", styleSheet: "parquet.css", title: "Parquet table" },
  compare: { script: "compare.js", styleSheet: "compare.css", title: "Compare" },
} as const;
/** What the editor says of its theme on a page's body. */
export const bodyClasses: Readonly<Record<Theme, string>> = {
  dark: "vscode-dark",
  light: "vscode-light",
  highContrast: "vscode-high-contrast",
  highContrastLight: "vscode-high-contrast vscode-high-contrast-light",
};

/** Serves the page on a free port of the loopback interface, under the content policy that it must live with. */
export async function servePage(): Promise<PageServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const [, folder = "", ...path] = url.pathname.split("/");
    const directory = Object.hasOwn(folders, folder) ? folders[folder] : undefined;
    if (directory !== undefined) void sendFile(response, join(directory, ...path));
    else {
      const page = Object.hasOwn(pages, folder) ? (folder as PageName) : "run";
      send(response, 200, "text/html", html((url.searchParams.get("theme") ?? "dark") as Theme, page));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    url: (theme, page) => `${origin}/${page}?theme=${theme}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function sendFile(response: ServerResponse, path: string): Promise<void> {
  try {
    send(response, 200, types[extname(path)] ?? "application/octet-stream", await readFile(path));
  } catch {
    send(response, 404, "text/plain", "No such file. Was the page built?");
  }
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  // What every page loads is compiled once: nothing is built while it is served.
  const caching = type === "text/html" ? "no-store" : "max-age=3600";
  response
    .writeHead(status, { "content-type": `${type}; charset=utf-8`, "cache-control": caching })
    .end(body);
}

function html(theme: Theme, page: PageName): string {
  const { script, styleSheet, title } = pages[page];
  const own = page === "run" ? "img-src data:; connect-src 'self'; worker-src blob:" : "img-src 'none'";
  const policy = `default-src 'none'; script-src 'nonce-page'; style-src 'self'; font-src 'self'; ${own}`;
  const sheets = [
    `themes/${theme}.css`,
    "page/editorDefaults.css",
    "dist/codicon.css",
    `media/${styleSheet}`,
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
${sheets.map((sheet) => `<link rel="stylesheet" href="/${sheet}">`).join("\n")}
</head>
<body class="${bodyClasses[theme]}">
<div id="root"></div>
<script nonce="page" src="/page/fakeHost.js"></script>
<script nonce="page" type="module" src="/dist/${script}"></script>
</body>
</html>`;
}
