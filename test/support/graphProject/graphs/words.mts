/** What the nodes of the planner use. */

/** Counts the words of a task, which must not be empty. */
export function countWords(task: string): number {
  const words = task.split(" ").filter((word) => word !== "");
  if (words.length === 0) throw new Error("The task has no words.");
  return words.length;
}
