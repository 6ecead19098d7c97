/** What ran: a line for each step of a run, and what the run was given and left behind. */

import { namesOf } from "../../run/panel/graphMarks.ts";
import type { StepEntry, ValuesEntry } from "../../run/panel/transcript.ts";
import { Button } from "../controls/button.tsx";
import { Disclosure } from "../controls/disclosure.tsx";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { LongText } from "../controls/longText.tsx";
import { OpenCode } from "../controls/openCode.tsx";
import { post } from "../kit/host.ts";
import { visibleText } from "../kit/visibleText.ts";
import { FailedStep, RunFromStep } from "../repair/courseActions.tsx";
import { stateOf, Status, useElapsed } from "./status.tsx";

/** A node that ran: how long, and which keys of the state it wrote; opened, their values, and a way to compare states. */
export function Step({ step, waits }: { readonly step: StepEntry; readonly waits: boolean }) {
  const time = useElapsed(step.status === "running", step);
  const { name, lane, wrote, checkpoints, unkept, status } = step;
  const line = (
    <>
      <Icon name="debug-start" />
      <Literal class="step-name" text={name === "" ? "Step" : name} />
      {status !== "done" && <Status status={stateOf(status, waits)} />}
      {time !== undefined && <span class="fact">{time}</span>}
      {step.keys.length > 0 && <span class="fact preview">{visibleText(step.keys.join(", "))}</span>}
    </>
  );
  const { runId } = step;
  const code = <OpenCode source={{ of: "node", path: [...namesOf(lane), name], runId }} />;
  if (wrote === undefined && checkpoints === undefined && unkept === undefined)
    return (
      <FailedStep step={step}>
        <div class="step">{line}</div>
        {code}
      </FailedStep>
    );
  return (
    <FailedStep step={step}>
      <Disclosure id={step.id} class="step" summary={line}>
        {() => (
          <>
            {wrote !== undefined && <LongText text={wrote} label="What the Step Wrote" />}
            {checkpoints !== undefined && (
              <div class="step-actions">
                <Button
                  kind="link"
                  onClick={() => post({ type: "compareStep", name: name || "the step", lane, checkpoints })}
                >
                  {checkpoints.outcome === undefined
                    ? "Compare the State Before and After"
                    : "Compare the State Before with What the Step Left"}
                </Button>
                <RunFromStep step={step} />
              </div>
            )}
            {unkept !== undefined && <div class="hint">{unkept}</div>}
          </>
        )}
      </Disclosure>
      {code}
    </FailedStep>
  );
}

/** What a run was given beside messages, or what its state held in the end. */
export function Values({ values }: { readonly values: ValuesEntry }) {
  const isInput = values.of === "input";
  const line = (
    <>
      <Icon name={isInput ? "play" : "list-unordered"} />
      <span class="step-name">{isInput ? "Input" : "State at the end"}</span>
      <span class="preview code">{visibleText(values.text.slice(0, 240))}</span>
    </>
  );
  return (
    <Disclosure id={values.id} class="card" summary={line}>
      {() => <LongText text={values.text} label={isInput ? "Input" : "State"} />}
    </Disclosure>
  );
}
