import { useContext } from "preact/hooks";

import { fieldOf, isConversation } from "../../run/schema/fields.ts";
import { FormContext, type FieldProps } from "./formState.ts";
import { ChoiceField, FlagField, NumberField, TextField } from "./valueFields.tsx";
import { JsonValueField } from "./jsonValueField.tsx";
import { ListField, ObjectField } from "./nestedFields.tsx";
import { MessageField } from "./messageField.tsx";

/** Deeper values are written as JSON. */
const deepest = 6;

/** The control that fits a part of the schema. */
export function Field(props: FieldProps) {
  const { document } = useContext(FormContext);
  const { path, schema } = props;
  const field = fieldOf(document, schema);
  const { control } = field;
  if (path.length === 1 && path[0] === "messages" && isConversation(document, schema))
    return <MessageField {...props} field={field} />;
  switch (control.kind) {
    case "text":
      return <TextField {...props} field={field} />;
    case "number":
      return <NumberField {...props} field={field} />;
    case "flag":
      return <FlagField {...props} field={field} />;
    case "choice":
      return <ChoiceField {...props} field={field} choices={control.choices} />;
    case "list":
      return path.length < deepest ? (
        <ListField {...props} field={field} items={control.items} most={control.most} Item={Field} />
      ) : (
        <JsonValueField {...props} field={field} />
      );
    case "object":
      return path.length < deepest ? (
        <ObjectField {...props} field={field} properties={control.properties} Part={Field} />
      ) : (
        <JsonValueField {...props} field={field} />
      );
    case "json":
      return <JsonValueField {...props} field={field} />;
    default:
      return control satisfies never;
  }
}
