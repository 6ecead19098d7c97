/** What can't be done, known without or beside a server's answer: the reason, and what to do instead. */
export class RefusalError extends Error {
  override readonly name = "RefusalError";
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}
