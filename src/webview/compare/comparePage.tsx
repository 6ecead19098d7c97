import { useMemo, useState } from "preact/hooks";

import type { ComparedRow, Comparison, StepFacts } from "../../run/compare/comparison.ts";
import type { FromComparison, SideFacts, SideName, ToComparison } from "../../run/compare/messages.ts";
import { Button } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { plural } from "../kit/measures.ts";
import { costText, tokensText } from "../timeline/figures.ts";
import { Status } from "../transcript/status.tsx";
import { CompareTable } from "./compareTable.tsx";
import { differenceText, keyOf, nameOf, timeText } from "./rowText.ts";

type PageProps = Omit<ToComparison, "type"> & { readonly post: (request: FromComparison) => void };

/** Both sides, their steps beside each other, and what the step that the reader is at did on each. */
export function ComparePage({ comparison, facts, post }: PageProps) {
  const [isShort, setShort] = useState(false);
  const [chosen, choose] = useState<string>();
  const { rows, first } = comparison;
  const shown = useMemo(
    () => (isShort ? rows.filter(({ isDifferent }) => isDifferent) : rows),
    [rows, isShort],
  );
  const known = chosen !== undefined && shown.some((row) => keyOf(row) === chosen);
  const start = first === undefined ? shown[0] : rows[first];
  const selected = known ? chosen : start && keyOf(start);
  const row = shown.find((one) => keyOf(one) === selected);
  const goTo = (by: 1 | -1) => {
    const next = nextDifference(shown, selected, by);
    if (next !== undefined) choose(keyOf(next));
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "F7") return;
    goTo(event.shiftKey ? -1 : 1);
    event.preventDefault();
  };
  const openStates = ({ left, right }: ComparedRow) =>
    post({
      type: "openStates",
      ...(left?.hasStates === true && { left: left.id }),
      ...(right?.hasStates === true && { right: right.id }),
    });
  return (
    <main class="page" onKeyDown={onKey}>
      <div class="sides">
        {(["left", "right"] as const).map((side) => (
          <Side
            key={side}
            side={side}
            facts={facts[side]}
            comparison={comparison}
            onOpen={() => post({ type: "openThread", side })}
          />
        ))}
      </div>
      <div class="compare-bar">
        <Summary comparison={comparison} isLoading={facts.left.isLoading || facts.right.isLoading} />
        <div class="compare-actions">
          <Button icon="arrow-up" title="Shift+F7" disabled={first === undefined} onClick={() => goTo(-1)}>
            Previous Difference
          </Button>
          <Button icon="arrow-down" title="F7" disabled={first === undefined} onClick={() => goTo(1)}>
            Next Difference
          </Button>
          <Button pressed={isShort} onClick={() => setShort(!isShort)}>
            Only Differences
          </Button>
        </div>
      </div>
      {shown.length === 0 ? (
        <p class="none">{rows.length === 0 ? "There are no steps." : "No step differs."}</p>
      ) : (
        <CompareTable
          rows={shown}
          first={first === undefined ? undefined : rows[first]}
          selected={selected}
          onSelect={choose}
          onOpen={openStates}
        />
      )}
      {row !== undefined && <CompareDetail row={row} onStates={() => openStates(row)} post={post} />}
    </main>
  );
}

interface SideProps {
  readonly side: SideName;
  readonly facts: SideFacts;
  readonly comparison: Comparison;
  readonly onOpen: () => void;
}

/** What is compared, and what it took in all. */
function Side({ side, facts, comparison, onOpen }: SideProps) {
  const sums = comparison[side];
  const { status, spent } = sums;
  const figures = [
    timeText(sums),
    plural(sums.steps, "step"),
    ...(spent.calls > 0 ? [`tokens ${tokensText(spent)}`] : []),
    ...(spent.priced > 0 ? [`cost ${costText(spent)}`] : []),
  ];
  return (
    <section class="side" aria-label={side === "left" ? "Left" : "Right"}>
      <div class="side-line">
        <Literal as="h1" text={facts.title} />
        {status !== undefined && <Status status={status} />}
        <Button kind="link" onClick={onOpen}>
          Open Thread
        </Button>
      </div>
      <Literal as="p" class="side-place" text={[facts.runs, facts.where].filter(Boolean).join(" · ")} />
      {facts.isLoading ? <p class="fact">Reading…</p> : <p class="side-sums">{figures.join(" · ")}</p>}
      {facts.notes.map((note) => (
        <p key={note} class="side-note">
          <Icon name="info" /> <Literal text={note} />
        </p>
      ))}
    </section>
  );
}

/** Where both went different ways first. */
function Summary({
  comparison,
  isLoading,
}: {
  readonly comparison: Comparison;
  readonly isLoading: boolean;
}) {
  const { rows, first, isForeign, isCut, left, right } = comparison;
  const row = first === undefined ? undefined : rows[first];
  const isOn = left.isOn || right.isOn || isLoading;
  const cut = isCut ? " Only the first 5,000 steps of each side are compared." : "";
  return (
    <p class="compare-summary" role="status">
      {isForeign ? (
        "No step of one side is a step of the other: they are of different graphs."
      ) : row === undefined ? (
        rows.length === 0 ? null : (
          `Both did the same${isOn ? " so far" : ""}.`
        )
      ) : (
        <>
          First difference: <Literal class="step-name" text={nameOf(row)} />
          {row.kind === "input" ? "" : ` (${differenceText(row)})`}.
        </>
      )}
      {cut}
    </p>
  );
}

interface DetailProps {
  readonly row: ComparedRow;
  readonly onStates: () => void;
  readonly post: (request: FromComparison) => void;
}

/** What the step that the reader is at did on each side, and the ways to its states and into both threads. */
function CompareDetail({ row, onStates, post }: DetailProps) {
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
            <Button onClick={onStates}>{hasBoth ? "Open State Diff" : "Open What It Changed"}</Button>
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
        Show in Thread
      </Button>
    </div>
  );
}

/** The next row that differs, after the last one the first again. */
function nextDifference(
  rows: readonly ComparedRow[],
  selected: string | undefined,
  by: 1 | -1,
): ComparedRow | undefined {
  const at = rows.findIndex((row) => keyOf(row) === selected);
  const order = rows.map((_, index) => rows[(at + by * (index + 1) + rows.length * 2) % rows.length]);
  return order.find((row) => row?.isDifferent === true);
}
