/** The steps in which an export is described. */

import type { Compression, ExportCreate } from "../../../api/bulkExports/bulkExport.ts";
import type { KnownProject, KnownProjects } from "../../destinations/projects.ts";
import { timeText } from "../../destinations/exportText.ts";
import { dotted, isUuid, withoutIcons } from "../../kit/words.ts";
import { choiceField, type Form, type FormField, textField } from "../../kit/ask/form.ts";
import { askChoice, askText, askThen, type Choice, type Heading } from "../../kit/ask/questions.ts";

/** An export as a person describes it. */
export interface ExportDraft {
  readonly destinationId: string;
  /** Undefined stands for all experiments. */
  readonly project: KnownProject | undefined;
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
  readonly projects: KnownProjects;
}

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
export function exportForm(title: string): Form<ExportDraft> {
  return {
    title,
    fields: FIELDS,
    accept: ({ everyHours }) =>
      everyHours > 0
        ? { label: "$(calendar) Schedule", description: "goes on until it is cancelled" }
        : { label: "$(check) Export", description: "Parquet files in the destination's bucket" },
  };
}

const onlyInSummary = { isAsked: () => false };

const compressions: readonly Compression[] = ["gzip", "zstandard", "snappy", "none"];

const FIELDS: readonly FormField<ExportDraft>[] = [
  { label: "Project", ask: askProject, show: ({ project }) => project?.name ?? "all experiments" },
  choiceField(
    "Schedule",
    {
      get: ({ everyHours }) => everyHours,
      set: (draft, everyHours) => ({ ...draft, everyHours, end: "" }),
    },
    {
      placeholder: "Once, or again and again?",
      choices: [
        { value: 0, label: "$(check) Once", detail: "One window of time." },
        {
          value: 1,
          label: "$(calendar) Every hour",
          detail: "One export for each hour, ten minutes after its end.",
        },
        { value: 24, label: "$(calendar) Every day", detail: "One export for each 24 hours." },
        {
          value: 168,
          label: "$(calendar) Every week",
          detail: "One export for each 168 hours, the longest that there is.",
        },
      ],
    },
    { show: ({ everyHours }) => (everyHours === 0 ? "once" : `every ${String(everyHours)} h`) },
  ),
  { label: "From", ask: askStart, show: ({ start }) => timeText(start) },
  textField(
    "Until",
    { get: ({ end }) => end, set: (draft, typed) => ({ ...draft, end: typed === "" ? "" : iso(typed) }) },
    ({ start }) => ({
      prompt: "Rows that began before this time, in UTC. Empty is now.",
      placeholder: "2026-06-02T00:00:00Z",
      problem: (typed) => (typed === "" ? undefined : (timeProblem(typed) ?? orderProblem(start, typed))),
    }),
    {
      show: ({ end }) => (end === "" ? "now" : timeText(end)),
      has: ({ everyHours }) => everyHours === 0,
    },
  ),
  textField(
    "Filter",
    "filter",
    {
      prompt: "Only rows that match, in the platform's trace filter language. Empty is all.",
      placeholder: 'and(eq(run_type, "llm"), gt(latency, "5s"))',
    },
    onlyInSummary,
  ),
  choiceField(
    "Compression",
    "compression",
    {
      placeholder: "How are the Parquet files compressed?",
      choices: compressions.map((value) => ({ value, label: value })),
    },
    onlyInSummary,
  ),
  textField(
    "Fields",
    {
      get: ({ fields }) => fields.join(", "),
      set: (draft, typed) => ({ ...draft, fields: listOf(typed) }),
    },
    {
      prompt: "Fields of the run data format, separated by commas. Empty is all.",
      placeholder: "id, name, start_time, inputs, outputs",
    },
    { show: ({ fields }) => fields.join(", ") || "all", ...onlyInSummary },
  ),
];

async function askProject(heading: Heading, draft: ExportDraft): Promise<ExportDraft> {
  const { items, note } = draft.projects;
  const choices: readonly Choice<KnownProject | "all" | "type">[] = [
    ...items.map((project) => ({
      value: project,
      label: `$(rocket) ${withoutIcons(project.name)}`,
      description: dotted([project.name === project.id ? "" : project.id, project.source ?? ""]),
    })),
    {
      value: "all",
      label: "$(beaker) All experiments",
      detail: "Every experiment of the workspace, instead of one project.",
    },
    { value: "type", label: "$(edit) Enter an ID…", ...(note !== "" && { detail: note }) },
  ];
  const options = {
    placeholder: "Whose traces?",
    ...(draft.project === undefined ? {} : { active: draft.project }),
  };
  return askThen(
    () => askChoice(heading, choices, options),
    async (chosen) => {
      if (chosen === "all") return { ...draft, project: undefined };
      if (chosen !== "type") return { ...draft, project: chosen };
      const id = await askText(
        { title: heading.title, canGoBack: true },
        {
          prompt: "ID of the tracing project.",
          placeholder: "0f2f4f64-5a2e-4d65-9c38-1ad1b7e7c2a3",
          problem: (text) => (isUuid(text) ? undefined : "A project's ID is a UUID."),
        },
      );
      return { ...draft, project: { id, name: id } };
    },
  );
}

async function askStart(heading: Heading, draft: ExportDraft): Promise<ExportDraft> {
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
  const chosen = await askChoice(heading, choices, { placeholder });
  if (chosen !== "") return { ...draft, start: chosen };
  const typed = await askText(heading, {
    prompt: "Rows that began at this time or later, in UTC.",
    placeholder: "2026-06-01T00:00:00Z",
    value: draft.start,
    problem: timeProblem,
  });
  return { ...draft, start: iso(typed) };
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
