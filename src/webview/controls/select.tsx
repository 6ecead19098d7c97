import "@vscode-elements/elements/dist/vscode-single-select/index.js";
import type { VscodeSingleSelect } from "@vscode-elements/elements/dist/vscode-single-select/index.js";
import { useEffect, useRef } from "preact/hooks";

/** One choice of a select box. */
export interface SelectOption {
  readonly value: string;
  readonly label: string;
  readonly description?: string | undefined;
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly SelectOption[];
  readonly onValue: (value: string) => void;
}

/** The editor's own kind of select box; its list opens upwards, for it stands at the foot of the page. */
export function Select({ label, value, options, onValue }: SelectProps) {
  const element = useRef<VscodeSingleSelect>(null);
  const latest = useRef(onValue);
  latest.current = onValue;
  useEffect(() => {
    const select = element.current;
    if (select === null) return;
    const changed = () => latest.current(select.value);
    select.addEventListener("change", changed);
    return () => select.removeEventListener("change", changed);
  }, []);
  useEffect(() => {
    const select = element.current;
    if (select === null) return;
    select.options = options.map((option) => ({
      value: option.value,
      label: option.label,
      description: option.description ?? "",
      selected: option.value === value,
      disabled: false,
    }));
  }, [options.map((option) => option.value).join("\n"), value]);
  return <vscode-single-select ref={element} class="select" label={label} position="above" />;
}
