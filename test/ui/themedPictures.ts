import { join } from "node:path";

import { repository } from "../host/places.ts";
import type { WorkbenchOptions } from "../host/openEditor.ts";
import type { WorkbenchPage } from "./pages/workbenchPage.ts";

/** Takes a picture of a window as it is, into out/screenshots, where its name is followed by the theme's. */
export type Take = (window: WorkbenchPage, name: string) => Promise<void>;

const themes = {
  dark: "Default Dark Modern",
  light: "Default Light Modern",
  contrast: "Default High Contrast",
} as const;

/** The sizes of windows at which what an operator looks at is pictured. */
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
] as const;

/** Describes pictures as `describeThemed` does, each taken at both sizes of the window, whose width is in its name. */
export function describeSized(
  pictures: string,
  describeThem: (options: WorkbenchOptions, take: Take) => void,
): void {
  describeThemed(pictures, (options, take) =>
    describeThem({ ...options, size: sizes[0] }, async (window, name) => {
      for (const size of sizes.toReversed()) {
        await window.page.setViewportSize(size);
        await window.laidOut();
        await take(window, `${name}-${String(size.width)}`);
      }
    }),
  );
}

/** Describes the same pictures in each kind of theme; `describeThem` is given how a workbench is to be opened for it. */
export function describeThemed(
  pictures: string,
  describeThem: (options: WorkbenchOptions, take: Take) => void,
): void {
  for (const [theme, label] of Object.entries(themes)) {
    describe(`${pictures} (${theme})`, () => {
      const settings = { "workbench.colorTheme": label, "editor.minimap.enabled": false };
      describeThem({ size: { width: 1040, height: 680 }, settings }, (window, name) =>
        window.picture(join(repository, "out/screenshots", `${name}-${theme}.png`)),
      );
    });
  }
}
