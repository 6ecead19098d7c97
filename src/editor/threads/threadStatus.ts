/** How a thread stands, for a person: in words, and as an icon. */

/** A status in words; one that is not known is shown as the server spells it. */
export function statusWords(status: string): string {
  const words: Readonly<Record<string, string>> = {
    ...{ interrupted: "waiting", busy: "running", idle: "idle", error: "error" },
    ...{ stranded: "seems to be stranded", continued: "continued in a copy" },
  };
  return words[status] ?? status;
}

/** A status as an icon and its color in the theme. */
export function statusIcon(status: string): readonly [icon: string, color: string] {
  const icons: Readonly<Record<string, readonly [string, string]>> = {
    interrupted: ["bell-dot", "list.warningForeground"],
    busy: ["loading~spin", "progressBar.background"],
    idle: ["comment", "icon.foreground"],
    error: ["error", "list.errorForeground"],
    stranded: ["debug-disconnect", "list.warningForeground"],
    continued: ["git-branch", "icon.foreground"],
  };
  return icons[status] ?? ["question", "descriptionForeground"];
}
