import { Hono } from "hono";
import type { Env } from "../../http/env.ts";
import type { Return } from "../../mcp/authorization.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";

/** Where authorization servers send the user's browser back to. It has no key: the state is what it is known by. */
export function authCallbackRoutes({ mcp }: Platform): Hono<Env> {
  const app = new Hono<Env>();
  app.get(
    "/:provider_id",
    operation(
      "End an auth session with what the authorization server said",
      { 200: "A page: the tool server is connected.", 400: "A page: it is not." },
      { open: true, mediaType: "text/html" },
    ),
    async (c) => {
      const answer = new URL(c.req.url).searchParams;
      const outcome = await mcp.authorization.complete(c.req.param("provider_id"), answer);
      c.header("Cache-Control", "no-store");
      c.header("Referrer-Policy", "no-referrer");
      c.header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
      return c.html(page(outcome), outcome === "connected" ? 200 : 400);
    },
  );
  return app;
}

const texts: Readonly<Record<Return, readonly [title: string, text: string]>> = {
  connected: ["Connected", "You can close this page and go back to the editor."],
  refused: ["Not connected", "Access was not granted. Go back to the editor to try again."],
  unknown: [
    "Not connected",
    "This answer belongs to no session that is waiting. It may have come twice or too late, or from elsewhere.",
  ],
};

function page(outcome: Return): string {
  const [title, text] = texts[outcome];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1rem }</style>
<h1>${title}</h1>
<p>${text}</p>
</html>
`;
}
