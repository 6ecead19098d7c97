/** What a SKILL.md says: a name and a description in its front matter, instructions below. */
export interface SkillText {
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
}

/** The content of a skill's SKILL.md. */
export function writeSkill({ name, description, instructions }: SkillText): string {
  const front = [`name: ${JSON.stringify(name)}`, `description: ${JSON.stringify(description)}`];
  return ["---", ...front, "---", "", instructions].join("\n");
}

/** What a SKILL.md says; a file without front matter is all instructions. The folder's name is the skill's. */
export function readSkill(name: string, text: string): SkillText {
  const parts = /^---\r?\n(.*?)^---\r?\n(?:\r?\n)?(.*)$/ms.exec(text);
  if (parts === null) return { name, description: "", instructions: text };
  const description = /^description:[ \t]*(.*?)[ \t]*$/m.exec(parts[1] ?? "")?.[1] ?? "";
  return { name, description: scalar(description), instructions: parts[2] ?? "" };
}

/** The text of a YAML scalar on one line. */
function scalar(text: string): string {
  if (/^'.*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  if (!/^".*"$/.test(text)) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}
