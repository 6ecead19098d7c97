/** What a graph is told beside its input: context, configurable values, how far it may go, and where it stops. */

import { useEffect, useMemo, useState } from "preact/hooks";

import type { AgentOptions } from "../../run/panel/agent.ts";
import type { Json } from "../../run/panel/messages.ts";
import { readJson } from "../../run/json/jsonText.ts";
import { SchemaDocument } from "../../run/schema/schemaDocument.ts";
import { startingValue } from "../../run/schema/startingValue.ts";
import { Button } from "../controls/button.tsx";
import { JsonField } from "../controls/jsonField.tsx";
import { Literal } from "../controls/literal.tsx";
import { SchemaForm } from "../form/schemaForm.tsx";
import { post } from "../kit/host.ts";
import { useUniqueId } from "../kit/uniqueId.ts";
import { type Agent, namesIn } from "./agents.ts";
import { namesOf } from "./choices.ts";
import { useInputCheck } from "./inputChecks.ts";

interface SettingsProps {
  readonly agent: Agent;
  readonly onChange: (part: AgentOptions) => void;
  /** What is wrong with a field whose text is no value yet. */
  readonly onBroken: (problem: string | undefined) => void;
}

/** The settings that an agent server takes; others run their agents as they are. */
export function Settings({ agent, onChange, onBroken }: SettingsProps) {
  const { schemas, options } = agent;
  const id = useUniqueId();
  if (schemas.kind === "undescribed") return null;
  const { context, config } = schemas.kind === "known" ? schemas : {};
  const { context: contextText = "", configurable: configText = "" } = options;
  const [contextNames, configNames] = [context, config].map((schema) =>
    schema === undefined ? [] : namesIn(new SchemaDocument(schema)),
  );
  // A server that knows contexts tells the same again as configurable values, for graphs that know none.
  const isRepeated = configNames?.every((name) => contextNames?.includes(name)) === true;
  const takesContext = contextNames?.length !== 0 || schemas.kind !== "known" || contextText !== "";
  return (
    <>
      {takesContext && (
        <ValuesSetting
          label="Context"
          schema={context}
          text={contextText}
          onText={(text) => onChange({ context: text })}
          onBroken={onBroken}
        />
      )}
      {(contextNames?.length === 0 || !isRepeated || configText !== "") && (
        <ValuesSetting
          label="Configurable values"
          schema={isRepeated ? undefined : config}
          text={configText}
          onText={(text) => onChange({ configurable: text })}
          onBroken={onBroken}
        />
      )}
      <div class="field narrow">
        <label for={id}>Recursion limit</label>
        <input
          id={id}
          class="input"
          inputMode="numeric"
          placeholder="the server's"
          value={options.recursionLimit ?? ""}
          onInput={({ currentTarget }) => onChange({ recursionLimit: currentTarget.value })}
        />
      </div>
      <Breakpoints agent={agent} onChange={onChange} />
    </>
  );
}

interface ValuesSettingProps {
  readonly label: string;
  readonly schema: Json | undefined;
  /** A JSON object; empty as long as nobody has changed it. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onBroken: (problem: string | undefined) => void;
}

/** An object by the fields of its schema, or as JSON; it is sent once it was changed. */
function ValuesSetting({ label, schema, text, onText, onBroken }: ValuesSettingProps) {
  const document = useMemo(() => (schema === undefined ? undefined : new SchemaDocument(schema)), [schema]);
  const [asJson, setAsJson] = useState(false);
  const reading = text === "" ? undefined : readJson(text);
  const isRead = reading !== undefined && "value" in reading;
  const { known: check } = useInputCheck(schema, isRead ? text : undefined);
  const hasFields = document !== undefined && namesIn(document).length > 0;
  const isForm = hasFields && !asJson && (reading === undefined || isRead);
  const starting = document === undefined ? {} : (startingValue(document) ?? {});
  return (
    <fieldset class="setting">
      <legend>{label}</legend>
      {isForm ? (
        <SchemaForm
          label={label}
          document={document}
          value={isRead ? reading.value : starting}
          onValue={(value) => onText(JSON.stringify(value, undefined, 2))}
          problems={check !== undefined && "problems" in check ? check.problems : []}
          showAll
          onBroken={onBroken}
        />
      ) : (
        <JsonField
          label={`${label} (JSON object)`}
          object
          rows={2}
          text={text}
          placeholder={hasFields ? JSON.stringify(starting) : '{"model": "…"}'}
          onText={onText}
        />
      )}
      <div class="setting-tools">
        {hasFields && (
          <Button kind="link" onClick={() => setAsJson(!asJson)}>
            {isForm ? "Edit as JSON" : "Edit as Fields"}
          </Button>
        )}
        {text === "" ? (
          <span class="hint">Not sent until it is changed.</span>
        ) : (
          <Button kind="link" onClick={() => onText("")}>
            Send None
          </Button>
        )}
      </div>
    </fieldset>
  );
}

/** Where runs stop until somebody lets them go on. */
function Breakpoints({ agent, onChange }: Omit<SettingsProps, "onBroken">) {
  const { assistantId, nodes = [], options } = agent;
  useEffect(() => post({ type: "nodes", assistantId }), [assistantId]);
  const { interruptBefore: before = "", interruptAfter: after = "" } = options;
  const sides = [
    { label: "before", text: before, onText: (text: string) => onChange({ interruptBefore: text }) },
    { label: "after", text: after, onText: (text: string) => onChange({ interruptAfter: text }) },
  ];
  const others = [...namesOf(before), ...namesOf(after)].filter((name) => name !== "*");
  const names = [...new Set([...nodes, ...others])];
  return (
    <fieldset class="setting">
      <legend>Breakpoints</legend>
      <p class="hint">Runs stop there, in this graph; nodes inside its subgraphs can't be named.</p>
      {nodes.length > 0 ? (
        <ul class="breakpoints">
          {["*", ...names].map((name) => (
            <li key={name}>
              {name === "*" ? <span>every node</span> : <Literal class="field-name" text={name} />}
              {sides.map(({ label, text, onText }) => (
                <label key={label} class="choice">
                  <input
                    type="checkbox"
                    aria-label={`Stop ${label} ${name === "*" ? "every node" : name}`}
                    checked={namesOf(text).includes(name)}
                    onChange={() => onText(toggled(text, name))}
                  />
                  {label}
                </label>
              ))}
            </li>
          ))}
        </ul>
      ) : (
        sides.map(({ label, text, onText }) => (
          <NodeNames key={label} label={`Stop ${label} these nodes`} text={text} onText={onText} />
        ))
      )}
    </fieldset>
  );
}

function NodeNames({ label, text, onText }: Pick<ValuesSettingProps, "label" | "text" | "onText">) {
  const id = useUniqueId();
  return (
    <div class="field">
      <label for={id}>{label}, separated by commas</label>
      <input
        id={id}
        class="input"
        placeholder="* for each"
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
    </div>
  );
}

function toggled(text: string, name: string): string {
  const names = namesOf(text);
  return (names.includes(name) ? names.filter((other) => other !== name) : [...names, name]).join(", ");
}
