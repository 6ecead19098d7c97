import type { ComponentChildren, HTMLAttributes } from "preact";
import { useEffect, useState } from "preact/hooks";

import { post } from "../kit/host.ts";
import { Icon } from "./icon.tsx";
import type { IconName } from "../kit/icons.ts";

interface ButtonProps extends Pick<HTMLAttributes, "aria-expanded" | "title"> {
  readonly icon?: IconName;
  readonly kind?: "primary" | "secondary" | "link";
  readonly disabled?: boolean;
  readonly pressed?: boolean | undefined;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}

/** A button with words. */
export function Button({ icon, kind = "secondary", pressed, children, ...attributes }: ButtonProps) {
  return (
    <button type="button" class={`button ${kind}`} aria-pressed={pressed} {...attributes}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Pick<ButtonProps, "pressed" | "disabled"> {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
}

/** A button that shows only an icon and says `label`. */
export function IconButton({ icon, label, pressed, ...attributes }: IconButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      aria-pressed={pressed}
      title={label}
      {...attributes}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Opens the editor's own menu: that of a section of the page, or else of what is around the button. */
export function MenuButton({ label, section }: { readonly label: string; readonly section?: string }) {
  const facts = { webviewSection: section, preventDefaultContextMenuItems: true };
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      aria-haspopup="menu"
      title={label}
      data-vscode-context={section === undefined ? undefined : JSON.stringify(facts)}
      onClick={openMenu}
    >
      <Icon name="ellipsis" />
    </button>
  );
}

/** Does what a click of the other button does, below the button. */
function openMenu({ currentTarget: button }: { readonly currentTarget: HTMLElement }): void {
  const { left, bottom } = button.getBoundingClientRect();
  const at = { clientX: left, clientY: bottom, bubbles: true, cancelable: true };
  button.dispatchEvent(new MouseEvent("contextmenu", at));
}

/** Copies `text()` through the host, and says for a moment that it did. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      icon={copied ? "check" : "copy"}
      label={copied ? "Copied" : label}
      onClick={() => {
        post({ type: "copy", text: text() });
        setCopied(true);
      }}
    />
  );
}
