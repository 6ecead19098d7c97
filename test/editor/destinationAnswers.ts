import { bucketName, knownKey } from "../support/objectStore.ts";
import type { ObjectStore } from "../support/objectStore.ts";
import type { Person } from "./person.ts";

/** What a person answers to the questions of which store and bucket a destination is, and what it is called. */
export function describeStoreAt({ url }: ObjectStore, person: Person, name: string): Person {
  return person.will(
    { choose: /S3-compatible/ },
    { type: url },
    { type: bucketName },
    { choose: "Yes" },
    { choose: "auto" },
    { type: "team" },
    { type: name },
  );
}

/** The same for the keys. */
export function typeKeys(person: Person, secret: string): Person {
  return person.will(
    { choose: /Type them/ },
    { type: knownKey.access_key_id },
    { type: secret },
    { type: "" },
  );
}
