import { createContext } from "preact";
import { useContext, useMemo, useState } from "preact/hooks";

import { pretty } from "../../run/json/jsonText.ts";
import { Code } from "./code.tsx";
import { size } from "../kit/measures.ts";
import { Button, CopyButton } from "./button.tsx";

const shownAtFirst = 8_000;

/** Whether long texts are shown as a whole without being asked, since something far into them is looked for. */
export const UncutContext = createContext(false);

interface LongTextProps {
  readonly text: string;
  /** What the text is, for the copy button and screen readers. */
  readonly label: string;
  /** Shows the text letter by letter, also where it reads as JSON. */
  readonly verbatim?: boolean;
  /** What the copy button copies instead of the text. */
  readonly copy?: { readonly label: string; readonly text: () => string };
}

/** Text or JSON in a fixed-width box: JSON indented and coloured, the rest as it is, a long text cut until asked for. */
export function LongText({ text, label, verbatim = false, copy }: LongTextProps) {
  const [wanted, setWanted] = useState(false);
  const all = useContext(UncutContext) || wanted;
  const whole = useMemo(() => (verbatim ? text : pretty(text)), [text, verbatim]);
  const cut = !all && whole.length > shownAtFirst;
  const shown = cut ? whole.slice(0, shownAtFirst) : whole;
  return (
    <div class="long-text">
      <pre tabIndex={0} role="group" aria-label={label}>
        <Code text={shown} language={!verbatim && /^\s*[[{"]/.test(shown) ? "json" : ""} />
        {cut && "…"}
      </pre>
      <div class="long-text-tools">
        <CopyButton label={copy?.label ?? `Copy ${label}`} text={copy?.text ?? (() => whole)} />
      </div>
      {cut && (
        <Button kind="link" aria-expanded={false} onClick={() => setWanted(true)}>
          Show All ({size(whole.length)})
        </Button>
      )}
    </div>
  );
}
