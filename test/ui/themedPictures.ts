import { join } from "node:path";

import { repository } from "../host/places.ts";
import type { WorkbenchOptions } from "../host/workbench.ts";
import type { WorkbenchPage } from "./pages/workbenchPage.ts";

/** Takes a picture of a window as it is, into out/screenshots, where its name is followed by the theme's. */
export type Take = (window: WorkbenchPage, name: string) => Promise<void>;

const themes = {
  dark: "Default Dark Modern",
  light: "Default Light Modern",
  contrast: "Default High Contrast",
} as const;

/** Describes the same pictures in each kind of theme; `describeThem` is given how a workbench is to be opened for it. */
export function describeThemed(
  pictures: string,
  describeThem: (options: WorkbenchOptions, take: Take) => void,
): void {
  for (const [theme, label] of Object.entries(themes)) {
    describe(`${pictures} (${theme})`, function () {
      this.timeout(180_000);
      const settings = { "workbench.colorTheme": label, "editor.minimap.enabled": false };
      describeThem({ size: { width: 1040, height: 680 }, settings }, (window, name) =>
        window.picture(join(repository, "out/screenshots", `${name}-${theme}.png`)),
      );
    });
  }
}
