import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The text of an answer that is kept in test/fixtures/wire, such as "controlPlane/deployment". */
export async function recording(name: string): Promise<string> {
  return readFile(join(import.meta.dirname, "../../fixtures/wire", `${name}.json`), "utf8");
}
