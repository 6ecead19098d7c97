/** Loaded into a server before all else: its clock is CLOCK_AHEAD_MS ahead, in all that it tells and in the dates of its answers. */

import { ServerResponse } from "node:http";

const ahead = Number(process.env["CLOCK_AHEAD_MS"]);
const now = Date.now;
Date.now = () => now() + ahead;
globalThis.Date = new Proxy(Date, {
  construct: (real, given: readonly unknown[]) =>
    Reflect.construct(real, given.length === 0 ? [real.now()] : given) as Date,
});

const writeHead = Reflect.get(ServerResponse.prototype, "writeHead") as (
  ...given: unknown[]
) => ServerResponse;
ServerResponse.prototype.writeHead = function (this: ServerResponse, ...given: unknown[]): ServerResponse {
  this.setHeader("date", new Date().toUTCString());
  return writeHead.apply(this, given);
};
