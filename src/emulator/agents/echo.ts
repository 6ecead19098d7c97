import { lastHumanText } from "../runtime/messages.ts";
import type { Agent } from "../runtime/agent.ts";
import { messagesInput } from "./input.ts";

/** Repeats the last message, in Markdown, token by token. */
export const echo: Agent = {
  name: "echo",
  description: "Repeats what you say, token by token, as Markdown.",
  input: messagesInput,
  entry: ["model"],
  nodes: {
    model: {
      targets: [],
      run: async (context) => {
        const said = lastHumanText(context.state);
        return { messages: [await context.say({ text: reply(said) })] };
      },
    },
  },
};

function reply(said: string): string {
  if (said.trim() === "") return "You said nothing, so there is nothing to repeat. Send me a message.";
  const words = said.trim().split(/\s+/);
  const quoted = said.trim().replaceAll(/^/gm, "> ");
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best));
  return [
    "You said:",
    quoted,
    "What I noticed about it:",
    [
      `- **${words.length}** ${words.length === 1 ? "word" : "words"}, **${said.length}** characters`,
      `- the longest word is \`${longest.replaceAll("`", "'")}\``,
      `- it ${said.includes("?") ? "asks" : "does not ask"} a question`,
    ].join("\n"),
    "As data:",
    ["```json", JSON.stringify({ role: "user", content: said }, null, 2), "```"].join("\n"),
  ].join("\n\n");
}
