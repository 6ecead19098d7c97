/** Fields of values that hold others. */

import type { ComponentChild, ComponentType } from "preact";
import { useContext, useRef, useState } from "preact/hooks";

import { isList, isObject } from "../../run/json/json.ts";
import type { Json } from "../../run/panel/messages.ts";
import type { Property } from "../../run/schema/fields.ts";
import { problemLine } from "../../run/schema/problems.ts";
import { startingPart } from "../../run/schema/startingValue.ts";
import { Button, IconButton } from "../controls/button.tsx";
import { Literal } from "../controls/literal.tsx";
import { visibleText } from "../kit/visibleText.ts";
import { type ControlProps, FieldProblems, wordsFor } from "./fieldFrame.tsx";
import { FormContext, type FieldProps, keyOf, problemsOf } from "./formState.ts";
import { JsonValueField } from "./jsonValueField.tsx";

/** The most items of a list that have fields. */
const mostItems = 50;

interface ObjectFieldProps extends ControlProps {
  readonly properties: readonly Property[];
  readonly Part: ComponentType<FieldProps>;
}

/** An object's parts; one that is not there can be added. */
export function ObjectField({ properties, Part, ...props }: ObjectFieldProps) {
  const form = useContext(FormContext);
  const { path, value, onValue } = props;
  if (value !== undefined && value !== null && !isObject(value)) return <JsonValueField {...props} />;
  const known = new Set(properties.map(({ name }) => name));
  const problems = problemsOf(form, path, (step) => known.has(step));
  const isRoot = path.length === 0;
  const parts = (isRoot || isObject(value)) && (
    <div class="schema-fields">
      {properties.map(({ name, schema, required }) => (
        <Part
          key={name}
          name={name}
          path={[...path, name]}
          schema={schema}
          required={required}
          value={isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined}
          onValue={(part) => onValue(withPart(value, name, part))}
        />
      ))}
    </div>
  );
  const lines = problems.map((problem) => problemLine(wordsFor(problem, path), "This"));
  if (!isRoot) return <Nested {...props} lines={lines} content={parts} />;
  return (
    <>
      {parts}
      <FieldProblems lines={lines} />
    </>
  );
}

interface ListFieldProps extends ControlProps {
  readonly items: Json;
  readonly most: number;
  readonly Item: ComponentType<FieldProps>;
}

/** A list's items, each with a button that takes it out, and one that adds another. */
export function ListField({ items, most, Item, ...props }: ListFieldProps) {
  const form = useContext(FormContext);
  const { name, path, value, onValue } = props;
  const element = useRef<HTMLDivElement>(null);
  const keys = useItemKeys(isList(value) ? Math.min(value.length, mostItems) : 0);
  if (value !== undefined && value !== null && !isList(value)) return <JsonValueField {...props} />;
  const list = value ?? [];
  const lines = problemsOf(form, path, (step) => Number(step) < Math.min(list.length, mostItems));
  const replace = (at: number, item: Json | undefined): void =>
    onValue(item === undefined ? list.toSpliced(at, 1) : list.with(at, item));
  const focusOn = (selector: string) =>
    setTimeout(() => element.current?.querySelector<HTMLElement>(selector)?.focus());
  const content = (
    <div class="schema-items" ref={element}>
      {list.slice(0, mostItems).map((item, at) => (
        <div key={keys[at]} class="schema-item">
          <Item
            name={`${name} ${at + 1}`}
            path={[...path, String(at)]}
            schema={items}
            required
            isItem
            value={item}
            onValue={(changed) => replace(at, changed ?? null)}
          />
          <IconButton
            icon="close"
            label={visibleText(`Remove ${name} ${at + 1}`)}
            onClick={() => {
              keys.splice(at, 1);
              replace(at, undefined);
              // The next item's button, or the one that adds an item.
              focusOn(`:scope > .schema-item:nth-child(${at + 1}) > button, :scope > button`);
            }}
          />
        </div>
      ))}
      {list.length > mostItems && (
        <p class="hint">And {list.length - mostItems} more, which can be edited as JSON.</p>
      )}
      <Button
        icon="add"
        kind="link"
        disabled={list.length >= most}
        onClick={() => {
          form.onVisit(path);
          onValue([...list, startingPart(form.document, items)]);
          focusOn(".schema-item:last-of-type :is(input, textarea, select, button)");
        }}
      >
        Add to <Literal text={name} />
      </Button>
    </div>
  );
  return (
    <Nested
      {...props}
      lines={lines.map((problem) => problemLine(wordsFor(problem, path), "This"))}
      content={content}
    />
  );
}

/** Keys of a list's items: each keeps its field, and what is half typed in there, when another one is taken out. */
function useItemKeys(count: number): number[] {
  const [keys] = useState<number[]>([]);
  const lastKey = useRef(0);
  keys.length = Math.min(keys.length, count);
  while (keys.length < count) keys.push(++lastKey.current);
  return keys;
}

interface NestedProps extends ControlProps {
  readonly lines: readonly string[];
  /** False where the value is not there. */
  readonly content: ComponentChild;
}

/** The frame of what holds other fields. */
function Nested({ name, path, schema, required, isItem, field, onValue, lines, content }: NestedProps) {
  const form = useContext(FormContext);
  const isThere = content !== false;
  return (
    <fieldset class="schema-nested wide" data-path={keyOf(path)}>
      <legend>
        <Literal class="field-name" text={name} />
        {required && isItem !== true && <span class="required"> required</span>}
      </legend>
      {field.description !== undefined && <Literal as="p" class="hint" text={field.description} />}
      {content}
      {!isThere && (
        <Button icon="add" kind="link" onClick={() => onValue(startingPart(form.document, schema) ?? {})}>
          Add <Literal text={name} />
        </Button>
      )}
      {isThere && field.control.kind === "object" && !required && (
        <Button kind="link" onClick={() => onValue(undefined)}>
          Remove <Literal text={name} />
        </Button>
      )}
      <FieldProblems lines={lines} />
    </fieldset>
  );
}

function withPart(value: Json | undefined, name: string, part: Json | undefined): Json {
  const others = Object.entries(isObject(value) ? value : {});
  if (part === undefined) return Object.fromEntries(others.filter(([other]) => other !== name));
  return Object.fromEntries(
    others.some(([other]) => other === name)
      ? others.map(([other, old]) => [other, other === name ? part : old])
      : [...others, [name, part]],
  );
}
