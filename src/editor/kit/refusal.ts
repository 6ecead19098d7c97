/** What can't be done, known without or beside a server's answer: the reason, and what to do instead. */
export class RefusalError extends Error {
  override readonly name = "RefusalError";
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** A thread that was there is not on the backend any more. */
export class ThreadLostError extends Error {
  override readonly name = "ThreadLostError";
  readonly status = 404;
  readonly remedy = "Start a new thread to go on.";

  constructor() {
    super(
      "The backend does not know this thread any more: it was deleted, or the backend was restarted and keeps threads in memory only.",
    );
  }
}
