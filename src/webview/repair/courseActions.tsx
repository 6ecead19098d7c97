/** What can be done about the course of a thread, as buttons beside what it is done about. */

import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";

import type { RepairAction } from "../../run/panel/messages.ts";
import type { InterruptEntry, MessageEntry, RunEntry, StepEntry } from "../../run/panel/transcript.ts";
import { Button, IconButton } from "../controls/button.tsx";
import { SourceContext } from "../controls/openCode.tsx";
import { post } from "../kit/host.ts";

/** How the thread stands, as far as that decides what is offered. */
export interface Course {
  /** Its server can change a thread's course, and nothing runs now. */
  readonly isOpen: boolean;
  /** The newest run: what failed in it can be tried again where the thread stands. */
  readonly lastRun: string | undefined;
}

/** What is offered to rows; nothing without a provider. */
export const CourseContext = createContext<Course>({ isOpen: false, lastRun: undefined });

function repair(action: RepairAction): void {
  post({ type: "repair", action });
}

interface FailedStepProps {
  readonly step: StepEntry;
  readonly children: ComponentChildren;
}

/** The line of a step; what can be done about it stands beside one that failed where the thread stands. */
export function FailedStep({ step, children }: FailedStepProps) {
  const { isOpen, lastRun } = useContext(CourseContext);
  const hasSource = useContext(SourceContext);
  const { name, status, lane, runId, checkpoints } = step;
  const isFailed = status === "error" || status === "stopped";
  if (!isOpen || !isFailed || lane !== "" || runId !== lastRun)
    return hasSource ? <div class="step-row">{children}</div> : <>{children}</>;
  const at = checkpoints === undefined ? {} : { checkpointId: checkpoints.before };
  return (
    <div class="step-row">
      {children}
      <Button kind="link" icon="refresh" onClick={() => repair({ verb: "retry", ...at })}>
        Retry
      </Button>
      <Button kind="link" onClick={() => repair({ verb: "skip", node: name })}>
        Skip…
      </Button>
    </div>
  );
}

/** Within a step whose state is kept. */
export function RunFromStep({ step: { checkpoints, lane } }: { readonly step: StepEntry }) {
  const { isOpen } = useContext(CourseContext);
  if (!isOpen || lane !== "" || checkpoints === undefined) return null;
  return (
    <>
      <Button kind="link" onClick={() => repair({ verb: "from", checkpointId: checkpoints.before })}>
        Run Again from Here
      </Button>
      <Button kind="link" onClick={() => repair({ verb: "edit", checkpointId: checkpoints.before })}>
        Edit the State Before It…
      </Button>
    </>
  );
}

/** Beside the heading of a run that somebody stopped. */
export function StoppedRunActions({ run: { runId, status } }: { readonly run: RunEntry }) {
  const { isOpen, lastRun } = useContext(CourseContext);
  if (!isOpen || runId !== lastRun || (status !== "interrupted" && status !== "timeout")) return null;
  return (
    <Button kind="link" icon="debug-continue" onClick={() => repair({ verb: "continue" })}>
      Continue
    </Button>
  );
}

/** Beside Continue where a thread stopped at a breakpoint. */
export function BreakpointActions({ interrupt: { next } }: { readonly interrupt: InterruptEntry }) {
  const { isOpen } = useContext(CourseContext);
  if (!isOpen || next === undefined || next.length === 0) return null;
  return (
    <>
      <Button onClick={() => repair({ verb: "step" })}>Run One Step</Button>
      <Button onClick={() => repair({ verb: "to" })}>Run To…</Button>
    </>
  );
}

/** Beside a message: what was said is sent anew with other words, or answered anew. */
export function MessageActions({ message }: { readonly message: MessageEntry }) {
  const { isOpen } = useContext(CourseContext);
  const { id, role, lane } = message;
  if (!isOpen || lane !== "") return null;
  if (role === "human")
    return (
      <IconButton
        icon="edit"
        label="Edit and Resend"
        onClick={() => repair({ verb: "resend", message: id })}
      />
    );
  if (role !== "ai") return null;
  return (
    <IconButton
      icon="refresh"
      label="Regenerate"
      onClick={() => repair({ verb: "regenerate", message: id })}
    />
  );
}
