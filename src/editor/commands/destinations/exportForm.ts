/** The steps in which an export is described. */

import type { Compression, ExportCreate } from "../../../api/bulkExports/wire.ts";
import { timeText } from "../../destinations/exportText.ts";
import { isUuid } from "../../kit/uuid.ts";
import type { Form, FormField } from "../../kit/ask/form.ts";
import { askChoice, askText } from "../../kit/ask/steps.ts";
import type { Answer, Choice, Place } from "../../kit/ask/steps.ts";

/** A project whose runs can be exported. */
export interface Project {
  readonly id: string;
  readonly name: string;
}

/** An export as a person describes it. */
export interface ExportDraft {
  readonly destinationId: string;
  /** Undefined stands for all experiments. */
  readonly project: Project | undefined;
  /** ISO 8601. */
  readonly start: string;
  /** "" stands for now, or for no end of a schedule. */
  readonly end: string;
  /** 0 exports once. */
  readonly everyHours: number;
  readonly filter: string;
  readonly compression: Compression;
  /** Empty exports every field. */
  readonly fields: readonly string[];
  /** What can be chosen. */
  readonly projects: readonly Project[];
}

/** What is asked for, one step each. */
export type ExportField = "project" | "start" | "everyHours" | "end" | "filter" | "compression" | "fields";

/** The body that creates it. */
export function exportBody(draft: ExportDraft): ExportCreate {
  const { destinationId, project, start, end, everyHours, filter, compression, fields } = draft;
  return {
    bulk_export_destination_id: destinationId,
    ...(project === undefined ? { all_experiments: true } : { session_id: project.id }),
    start_time: start,
    ...(everyHours > 0 ? { interval_hours: everyHours } : { end_time: end || new Date().toISOString() }),
    ...(filter === "" ? {} : { filter }),
    format: "Parquet",
    compression,
    ...(fields.length === 0 ? {} : { export_fields: fields }),
  };
}

/** The steps and the summary; a schedule has no end. */
export function exportForm(title: string): Form<ExportDraft, ExportField> {
  return {
    title,
    fields: EXPORT_FIELDS,
    steps: ({ everyHours }) => [
      "project",
      "everyHours",
      "start",
      ...(everyHours > 0 ? [] : (["end"] as const)),
    ],
    summary: ({ everyHours }) => [
      "project",
      "everyHours",
      "start",
      ...(everyHours > 0 ? [] : (["end"] as const)),
      "filter",
      "compression",
      "fields",
    ],
    accept: ({ everyHours }) =>
      everyHours > 0
        ? { label: "$(calendar) Schedule", description: "goes on until it is cancelled" }
        : { label: "$(check) Export", description: "Parquet files in the destination's bucket" },
  };
}

const EXPORT_FIELDS: Readonly<Record<ExportField, FormField<ExportDraft>>> = {
  project: { label: "Project", ask: askProject, show: ({ project }) => project?.name ?? "all experiments" },
  everyHours: {
    label: "Schedule",
    ask: askSchedule,
    show: ({ everyHours }) => (everyHours === 0 ? "once" : `every ${String(everyHours)} h`),
  },
  start: { label: "From", ask: askStart, show: ({ start }) => timeText(start) },
  end: {
    label: "Until",
    ask: async (place, draft) => {
      const answer = await askText(place, {
        prompt: "Rows that began before this time, in UTC. Empty is now.",
        placeholder: "2026-06-02T00:00:00Z",
        value: draft.end,
        problem: (typed) =>
          typed === "" ? undefined : (timeProblem(typed) ?? orderProblem(draft.start, typed)),
      });
      return answer.kind === "next"
        ? next({ ...draft, end: answer.value === "" ? "" : iso(answer.value) })
        : answer;
    },
    show: ({ end }) => (end === "" ? "now" : timeText(end)),
  },
  filter: {
    label: "Filter",
    ask: async (place, draft) => {
      const answer = await askText(place, {
        prompt: "Only rows that match, in the platform's trace filter language. Empty is all.",
        placeholder: 'and(eq(run_type, "llm"), gt(latency, "5s"))',
        value: draft.filter,
      });
      return answer.kind === "next" ? next({ ...draft, filter: answer.value }) : answer;
    },
    show: ({ filter }) => filter || "none",
  },
  compression: {
    label: "Compression",
    ask: async (place, draft) => {
      const choices = (["gzip", "zstandard", "snappy", "none"] as const).map((value) => ({
        value,
        label: value,
      }));
      const answer = await askChoice<Compression>(place, choices, {
        placeholder: "How are the Parquet files compressed?",
        active: draft.compression,
      });
      return answer.kind === "next" ? next({ ...draft, compression: answer.value }) : answer;
    },
    show: ({ compression }) => compression,
  },
  fields: {
    label: "Fields",
    ask: async (place, draft) => {
      const answer = await askText(place, {
        prompt: "Fields of the run data format, separated by commas. Empty is all.",
        placeholder: "id, name, start_time, inputs, outputs",
        value: draft.fields.join(", "),
      });
      return answer.kind === "next" ? next({ ...draft, fields: listOf(answer.value) }) : answer;
    },
    show: ({ fields }) => (fields.length === 0 ? "all" : fields.join(", ")),
  },
};

async function askProject(place: Place, draft: ExportDraft): Promise<Answer<ExportDraft>> {
  const choices: readonly Choice<Project | "all" | "type">[] = [
    ...draft.projects.map((project) => ({
      value: project,
      label: `$(rocket) ${project.name}`,
      description: project.id,
    })),
    { value: "type", label: "$(edit) Type a project's id…" },
    {
      value: "all",
      label: "$(beaker) All experiments",
      detail: "Every experiment of the workspace, instead of one project.",
    },
  ];
  for (;;) {
    const answer = await askChoice(place, choices, {
      placeholder: "Whose traces?",
      ...(draft.project === undefined ? {} : { active: draft.project }),
    });
    if (answer.kind !== "next") return answer;
    if (answer.value === "all") return next({ ...draft, project: undefined });
    if (answer.value !== "type") return next({ ...draft, project: answer.value });
    const typed = await askText(
      { title: place.title, canGoBack: true },
      {
        prompt: "Id of the tracing project.",
        placeholder: "0f2f4f64-5a2e-4d65-9c38-1ad1b7e7c2a3",
        problem: (text) => (isUuid(text) ? undefined : "A project's id is a UUID."),
      },
    );
    if (typed.kind === "cancel") return typed;
    if (typed.kind === "next") return next({ ...draft, project: { id: typed.value, name: typed.value } });
  }
}

async function askSchedule(place: Place, draft: ExportDraft): Promise<Answer<ExportDraft>> {
  const hours = (value: number, label: string, detail: string): Choice<number> => ({ value, label, detail });
  const answer = await askChoice(
    place,
    [
      hours(0, "$(check) Once", "One window of time."),
      hours(1, "$(calendar) Every hour", "One export for each hour, ten minutes after its end."),
      hours(24, "$(calendar) Every day", "One export for each 24 hours."),
      hours(168, "$(calendar) Every week", "One export for each 168 hours, the longest that there is."),
    ],
    { placeholder: "Once, or again and again?", active: draft.everyHours },
  );
  return answer.kind === "next" ? next({ ...draft, everyHours: answer.value, end: "" }) : answer;
}

async function askStart(place: Place, draft: ExportDraft): Promise<Answer<ExportDraft>> {
  const hour = 3_600_000;
  const ago = (hours: number, label: string): Choice<string> => {
    const value = new Date(Date.now() - hours * hour).toISOString();
    return { value, label, description: timeText(value) };
  };
  const choices = [
    ago(1, "An hour ago"),
    ago(24, "A day ago"),
    ago(7 * 24, "A week ago"),
    ago(30 * 24, "30 days ago"),
    { value: "", label: "$(edit) Type a time…" },
  ];
  const placeholder = draft.everyHours > 0 ? "When does the first window begin?" : "Rows from which time on?";
  const answer = await askChoice(place, choices, { placeholder });
  if (answer.kind !== "next") return answer;
  if (answer.value !== "") return next({ ...draft, start: answer.value });
  const typed = await askText(place, {
    prompt: "Rows that began at this time or later, in UTC.",
    placeholder: "2026-06-01T00:00:00Z",
    value: draft.start,
    problem: timeProblem,
  });
  return typed.kind === "next" ? next({ ...draft, start: iso(typed.value) }) : typed;
}

function timeProblem(typed: string): string | undefined {
  return Number.isNaN(instant(typed)) ? "Write a time like 2026-06-01 or 2026-06-01T12:30:00Z." : undefined;
}

function orderProblem(start: string, end: string): string | undefined {
  return instant(end) > Date.parse(start) ? undefined : "The end must be after the beginning.";
}

/** A time that was typed, in the form that services read: they want its seconds, too. */
function iso(typed: string): string {
  return new Date(instant(typed)).toISOString();
}

/** Epoch milliseconds of a time, which is in UTC when it names no zone; NaN when it is none. */
function instant(typed: string): number {
  if (/^\d{4}-\d\d-\d\d$/.test(typed)) return Date.parse(typed);
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(typed) ? typed : `${typed.replace(" ", "T")}Z`);
}

function listOf(typed: string): readonly string[] {
  const names = typed.split(",").map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ""))];
}

function next(value: ExportDraft): Answer<ExportDraft> {
  return { kind: "next", value };
}
