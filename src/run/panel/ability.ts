/**
 * What not every place of threads can do. What isn't known is offered; once a place is known to lack an ability, only
 * the action for it is missing (spec "Streaming protocol thread endpoints").
 */
export type Ability = "stop" | "answer" | "rename" | "delete" | "list" | "history";
