import { createContext } from "preact";
import { useContext } from "preact/hooks";

import type { SourceRequest } from "../../run/panel/messages.ts";
import { post } from "../kit/host.ts";
import { visibleText } from "../kit/visibleText.ts";
import { IconButton } from "./button.tsx";

/** Whether the workspace has the sources of what runs here. */
export const SourceContext = createContext(false);

/** Opens where a node or a tool is written; nothing where the workspace has no sources. */
export function OpenCode({ source }: { readonly source: SourceRequest }) {
  const name = source.path.at(-1) ?? "";
  if (!useContext(SourceContext) || name === "") return null;
  return (
    <IconButton
      icon="go-to-file"
      label={`Open Code of ${visibleText(name)}`}
      onClick={() => post({ type: "openSource", source })}
    />
  );
}
