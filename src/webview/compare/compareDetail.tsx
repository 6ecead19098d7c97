import type { ComparedRow, StepFacts } from "../../run/compare/comparison.ts";
import type { FromComparison, SideName } from "../../run/compare/messages.ts";
import { Button } from "../controls/button.tsx";
import { Literal } from "../controls/literal.tsx";
import { differenceText, nameOf } from "./rowText.ts";

interface DetailProps {
  readonly row: ComparedRow;
  readonly onStates: () => void;
  readonly post: (request: FromComparison) => void;
}

/** What the step that the reader is at did on each side, and the ways to its states and into both threads. */
export function CompareDetail({ row, onStates, post }: DetailProps) {
  const { left, right, isDifferent } = row;
  const hasBoth = left?.hasStates === true && right?.hasStates === true;
  const hasOne = left?.hasStates === true || right?.hasStates === true;
  const difference = differenceText(row);
  return (
    <section class="compare-detail" aria-label="The selected step">
      <div class="compare-detail-line">
        <h2>
          <Literal text={[...row.lane, nameOf(row)].join(" › ")} />
          {difference !== "" && <span class="fact"> {difference}</span>}
        </h2>
        {row.kind === "step" &&
          (hasOne ? (
            <Button onClick={onStates}>{hasBoth ? "Open state diff" : "Open what it changed"}</Button>
          ) : (
            <span class="fact">The servers keep no states of it.</span>
          ))}
      </div>
      <div class="compare-did">
        {(["left", "right"] as const).map((side) => (
          <Did key={side} side={side} step={row[side]} isDifferent={isDifferent} post={post} />
        ))}
      </div>
    </section>
  );
}

interface DidProps extends Pick<DetailProps, "post"> {
  readonly side: SideName;
  readonly step: StepFacts | undefined;
  readonly isDifferent: boolean;
}

function Did({ side, step, isDifferent, post }: DidProps) {
  if (step === undefined)
    return <p class="fact">{isDifferent ? "This side has no such step." : "This side is not there yet."}</p>;
  const { excerpt, id } = step;
  return (
    <div class="compare-one">
      {excerpt !== undefined &&
        (excerpt === "" ? <p class="fact">Nothing.</p> : <Literal as="p" class="excerpt" text={excerpt} />)}
      <Button kind="link" icon="go-to-file" onClick={() => post({ type: "openThread", side, entry: id })}>
        Show in thread
      </Button>
    </div>
  );
}
