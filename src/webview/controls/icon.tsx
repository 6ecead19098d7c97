import type { IconName } from "../kit/icons.ts";

/** A codicon, drawn beside text and therefore silent for screen readers. */
export function Icon({ name, spin = false }: { readonly name: IconName; readonly spin?: boolean }) {
  return <span class={`codicon codicon-${name}${spin ? " codicon-modifier-spin" : ""}`} aria-hidden="true" />;
}
