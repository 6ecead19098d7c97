import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";

import { problemLine } from "../../run/schema/problems.ts";
import type { Field } from "../../run/schema/fields.ts";
import { Icon } from "../controls/icon.tsx";
import { Literal } from "../controls/literal.tsx";
import { FormContext, type FieldProps, problemsOf } from "./formState.ts";
import { useUniqueId } from "../kit/uniqueId.ts";

/** The most rows of a box in a form. */
export const mostRows = 10;

/** A field and what it is made of. */
export interface ControlProps extends FieldProps {
  readonly field: Field;
}

/** What a control needs to be named and described. */
export interface ControlAttributes {
  readonly id: string;
  readonly "aria-describedby": string;
  readonly "aria-invalid": boolean;
  readonly "aria-required": boolean;
  readonly onBlur: () => void;
}

interface FieldFrameProps extends ControlProps {
  /** It takes the whole width. */
  readonly wide?: boolean;
  /** What is wrong with what is written, when that is no value yet. */
  readonly broken?: string | undefined;
  readonly children: (attributes: ControlAttributes) => ComponentChildren;
}

/** A control with its name, what is said of it, and what the schema refuses. */
export function FieldFrame(props: FieldFrameProps) {
  const { name, path, required, isItem, field, wide = false, broken, children } = props;
  const form = useContext(FormContext);
  const id = useUniqueId();
  const problems = problemsOf(form, path);
  const said =
    broken === undefined ? problems.map((problem) => problemLine(wordsFor(problem, path), "")) : [broken];
  return (
    <div class={`field${wide ? " wide" : ""}`}>
      <label for={id}>
        <Literal class="field-name" text={name} />
        {required && isItem !== true && <span class="required"> required</span>}
      </label>
      {children({
        id,
        "aria-describedby": `${id}-about`,
        "aria-invalid": said.length > 0,
        "aria-required": required,
        onBlur: () => form.onVisit(path),
      })}
      <div id={`${id}-about`}>
        <FieldProblems lines={said} />
        {field.description !== undefined && <Literal as="p" class="hint" text={field.description} />}
      </div>
    </div>
  );
}

/** What is refused of a field, line by line. */
export function FieldProblems({ lines }: { readonly lines: readonly string[] }) {
  return (
    <>
      {lines.map((line) => (
        <p key={line} class="problem" role="status">
          <Icon name="warning" /> <Literal text={line.trim()} />
        </p>
      ))}
    </>
  );
}

/** A problem as it is said at a field: by what is inside it alone. */
export function wordsFor<Problem extends { readonly path: readonly string[] }>(
  problem: Problem,
  { length }: { readonly length: number },
): Problem {
  return { ...problem, path: problem.path.slice(length) };
}

/** What an emptied field comes to: nothing where nothing is asked for. */
export function emptied({ required, field }: ControlProps, empty: "" | null): "" | null | undefined {
  if (field.nullable) return null;
  return required ? empty : undefined;
}
