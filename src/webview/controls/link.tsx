import type { ComponentChildren } from "preact";

import { post } from "../kit/host.ts";
import { visibleText } from "../kit/visibleText.ts";

/** Whether the address may be handed to the user's browser or mail program. */
export function isExternal(url: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(url) && URL.canParse(url);
}

/**
 * A link of an agent's text: a click asks the host to open it, and its tooltip shows the real address.
 * The event stops here, else the editor's own link handler would open it a second time.
 */
export function Link({ url, children }: { readonly url: string; readonly children: ComponentChildren }) {
  const open = (event: MouseEvent) => {
    // A right click is for the menu.
    if (event.button === 2) return;
    event.preventDefault();
    event.stopPropagation();
    post({ type: "openExternal", url });
  };
  return (
    <a href={url} title={visibleText(url)} rel="noreferrer" onClick={open} onAuxClick={open}>
      {children}
    </a>
  );
}
