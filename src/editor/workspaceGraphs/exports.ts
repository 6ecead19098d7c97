/** Whether a source exports a name, as far as its text tells. */

/** "unknown" where the text does not tell, as with `export *`. */
export type Exported = "yes" | "no" | "unknown";

/** Looks for the name among the exports of a TypeScript or JavaScript source. */
export function exportedByScript(source: string, name: string): Exported {
  const text = withoutComments(source);
  if (/\bexport\s*\*(?!\s*as\b)|\bmodule\.exports\b|\bexports[.[]/.test(text)) return "unknown";
  if (name === "default" && /\bexport\s+default\b/.test(text)) return "yes";
  const word = escaped(name);
  const declared = new RegExp(
    `\\bexport\\s+(?:declare\\s+)?(?:const|let|var|(?:async\\s+)?function\\s*\\*?|(?:abstract\\s+)?class|enum|namespace)\\s+${word}(?![\\w$])`,
  );
  if (declared.test(text) || new RegExp(`\\bexport\\s*\\*\\s*as\\s+${word}(?![\\w$])`).test(text))
    return "yes";
  const lists = [...text.matchAll(/\bexport\s*(?:type\s*)?\{([^}]*)\}/g)].map(([, names = ""]) => names);
  const listed = lists
    .flatMap((names) => names.split(","))
    .map((one) =>
      one
        .trim()
        .split(/\s+as\s+/)
        .at(-1),
    );
  if (listed.includes(name)) return "yes";
  // `export const { a, b: c } = …`, and one declaration of several names.
  return new RegExp(`\\bexport\\s+(?:const|let|var)\\b[^;]{0,2000}?(?<![\\w$])${word}(?![\\w$])`).test(text)
    ? "unknown"
    : "no";
}

/** Looks for the name among what a Python module has at its top level. */
export function exportedByPython(source: string, name: string): Exported {
  const text = source.replace(/("""|''')[\s\S]*?\1/g, "").replace(/#.*$/gm, "");
  if (/^\s*from\s+\S+\s+import\s+\*/m.test(text) || /^def\s+__getattr__\b/m.test(text)) return "unknown";
  const word = escaped(name);
  const bound = new RegExp(`^(?:async\\s+def|def|class)\\s+${word}\\b|^${word}\\s*(?::[^=\\n]+)?=(?!=)`, "m");
  if (bound.test(text)) return "yes";
  // Bound by an import, in a branch, or together with others.
  return new RegExp(`\\b${word}\\b`).test(text) ? "unknown" : "no";
}

function withoutComments(source: string): string {
  return source.replace(
    /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\/\*[\s\S]*?\*\/|\/\/.*$/gm,
    (_, quoted?: string) => quoted ?? " ",
  );
}

function escaped(name: string): string {
  return name.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
}
