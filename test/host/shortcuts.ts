/**
 * What a test goes to again and again, by the title of its command, as the list of all commands has it. Not what shows its
 * key, as an icon of the activity bar does.
 */
const commands = {
  "Agents: Focus Composer": "agentOperations.runPanel.focusComposer",
  "Agents: Focus Last Message": "agentOperations.runPanel.focusLastMessage",
  "Agents: Focus on Deployments View": "agentOperations.deployments.focus",
  "Agents: Focus on Agents View": "agentOperations.agents.focus",
  "Agents: Focus on Inbox View": "agentOperations.inbox.focus",
  "Agents: Focus on Failures View": "agentOperations.failures.focus",
  "Agents: Focus on Tool Servers View": "agentOperations.toolServers.focus",
  "Agents: Focus on Destinations View": "agentOperations.destinations.focus",
  "Agents: Focus on Issues View": "agentOperations.issues.focus",
  "Agents: Focus on Activity View": "agentOperations.activity.focus",
  "View: Focus Active Editor Group": "workbench.action.focusActiveEditorGroup",
  "View: Open Next Editor": "workbench.action.nextEditor",
  "Notifications: Focus Notification Toast": "notifications.focusToasts",
};

/** The title of a command that has a key in the profiles of tests. */
export type ShortcutTitle = keyof typeof commands;

const titles = Object.keys(commands) as ShortcutTitle[];
/** Without those that a page in a tab keeps to itself, as to copy and to search. */
const letters = "bdeghijklmnoqrtuw";
const letterOf = (title: ShortcutTitle): string => letters.charAt(titles.indexOf(title));

/** The keys, as a person gives them to commands: to open the list of all takes an editor half a second of work. */
export const shortcuts = titles.map((title) => ({
  key: `ctrl+alt+shift+${letterOf(title)}`,
  command: commands[title],
}));

/** The same key, as the browser's driver presses it. */
export function shortcutOf(title: ShortcutTitle): string {
  return `Control+Alt+Shift+Key${letterOf(title).toUpperCase()}`;
}
