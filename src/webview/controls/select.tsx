import { visibleText } from "../kit/visibleText.ts";
import { useUniqueId } from "../kit/uniqueId.ts";
import { Icon } from "./icon.tsx";

interface SelectProps {
  readonly label: string;
  /** The label is on the screen; else it is only spoken. */
  readonly labelled?: boolean;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly title?: string | undefined;
  readonly onValue: (value: string) => void;
}

/** A box to choose one of a few from, drawn as the editor draws its own. */
export function Select({ label, labelled = false, value, options, title, onValue }: SelectProps) {
  const id = useUniqueId();
  return (
    <div class="field">
      {labelled && <label for={id}>{label}</label>}
      <div class="select">
        <select
          id={id}
          aria-label={labelled ? undefined : label}
          title={title}
          value={value}
          disabled={options.length === 0}
          onChange={(event) => onValue(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {visibleText(option.label)}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </div>
    </div>
  );
}
