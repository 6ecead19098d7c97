/** The page of a comparison: how it starts, and its messages to and from the extension host. */

import { render } from "preact";

import type { FromComparison, ToComparison } from "../../run/compare/messages.ts";
import { hostApi, receiveKnown } from "../kit/host.ts";
import { ComparePage } from "./comparePage.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element with the id root.");

const host = hostApi();
const post = (request: FromComparison): void => host.postMessage(request);
receiveKnown<ToComparison>({ comparison: true }, (message) => draw(message));
draw(undefined);
post({ type: "ready" });

function draw(shown: ToComparison | undefined): void {
  if (root === null) return;
  render(
    shown === undefined ? (
      <main class="placeholder" aria-busy="true">
        <p>Reading both sides…</p>
      </main>
    ) : (
      <ComparePage {...shown} post={post} />
    ),
    root,
  );
}
