import { Hono } from "hono";
import * as z from "zod";
import { readQuery } from "../../http/body.ts";
import type { Env } from "../../http/env.ts";
import { HttpError } from "../../kit/httpError.ts";
import { operation } from "../../http/operation.ts";
import type { Platform } from "../../platform/platform.ts";
import type { RecentRequests } from "../../statusPage/recentRequests.ts";
import { statusPage, statusPagePolicy } from "../../statusPage/statusPage.ts";

const linkQuery = z.looseObject({
  issue: z.string().optional().describe("Show this issue first, with its traces and deliveries."),
  project: z.string().optional().describe("Show this project first, with its issues and deliveries."),
});

/** The status page; open to everyone on this machine. */
export function statusRoutes(platform: Platform, requests: RecentRequests): Hono<Env> {
  const app = new Hono<Env>();
  const policy = statusPagePolicy();
  const described = operation(
    "Show what runs and what was asked",
    { 200: "A page to read in a browser.", 403: "It was asked for under a foreign name." },
    { query: linkQuery, open: true, mediaType: "text/html" },
  );
  app.get("/", described, (c) => {
    if (!isLoopback(c.req.header("host") ?? "")) {
      throw new HttpError(
        403,
        "The status page is only shown under a name of this machine, such as 127.0.0.1.",
      );
    }
    c.header("content-security-policy", policy);
    c.header("x-content-type-options", "nosniff");
    c.header("cache-control", "no-store");
    return c.html(statusPage(platform, requests, readQuery(c, linkQuery)).toString());
  });
  return app;
}

/** A page of the internet may give its own name this machine's address; its requests still carry that name. */
function isLoopback(host: string): boolean {
  const name = URL.parse(`http://${host}`)?.hostname ?? "";
  return name === "127.0.0.1" || name === "[::1]" || name === "localhost" || name.endsWith(".localhost");
}
