import type { VscodeSingleSelect } from "@vscode-elements/elements/dist/vscode-single-select/index.js";
import type { ComponentProps } from "preact";

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      "vscode-single-select": Omit<ComponentProps<"div">, "ref" | "label"> & {
        readonly ref?: { current: VscodeSingleSelect | null };
        readonly label: string;
        readonly position: "above" | "below";
      };
    }
  }
}
