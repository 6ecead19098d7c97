/** What passes between the extension host and the process that reads a Parquet file: one request, one answer. */

import type {
  ArrangedRows,
  Arrangement,
  ArrangingSoFar,
  Cell,
  ColumnCells,
  CopiedRange,
  CopyForm,
  FoundSoFar,
  TableFacts,
  WantedRows,
} from "../../table/messages.ts";
import type { Credentials } from "../../api/bulkExports/destinations.ts";
import type { Sought } from "../../run/panel/search.ts";
import type { ParquetError } from "../../table/parquetError.ts";
import type { BucketAnswer, BucketRequest } from "./bucketRequests.ts";

/** What the host asks. `open` comes first; the others need an opened file. */
export type ReaderRequest =
  | { readonly type: "open"; readonly file: OpenedFile }
  /** The beginnings of the cells of one column. */
  | ({ readonly type: "column"; readonly column: number } & WantedRows)
  /** One value up to `limit` characters. */
  | { readonly type: "value"; readonly row: number; readonly column: number; readonly limit: number }
  /** Whole cells as text, in the order of `indexes` among the rows. */
  | ({
      readonly type: "copy";
      readonly columns: readonly number[];
      readonly indexes: readonly number[];
      readonly form: CopyForm;
    } & WantedRows)
  /** Begins to go through the rows. */
  | { readonly type: "arrange"; readonly how: Arrangement }
  /** Goes on, up to the row `end` at most. */
  | { readonly type: "arrangeOn"; readonly end: number }
  /** The rows as they were arranged; what was held for that is forgotten. */
  | { readonly type: "arranged" }
  /** Begins to look for a text in the rows of the file that are shown, or in all of them. */
  | { readonly type: "find"; readonly sought: Sought; readonly shown?: Uint32Array }
  /** Goes on, through `end` rows at most. */
  | { readonly type: "findOn"; readonly end: number };

/** A file by its path, one in a bucket, or one whose bytes the host gives when it is asked for them. */
export type OpenedFile =
  | { readonly name: string; readonly path: string }
  | { readonly name: string; readonly object: BucketObject }
  | { readonly name: string; readonly byteLength: number };

/** An object in a bucket, and how it is reached; who reads it finds the credentials, unless it is given some. */
export interface BucketObject {
  readonly bucket: string;
  readonly key: string;
  readonly region: string | undefined;
  /** Undefined for AWS. */
  readonly endpoint: string | undefined;
  /** Whether the endpoint's host names the bucket already. */
  readonly endpointIsBucket: boolean;
  readonly forcePathStyle: boolean;
  /** Of the AWS configuration; the usual one, or the environment's keys, unless given. */
  readonly profile: string | undefined;
  readonly keys: Credentials | undefined;
}

/** What is answered to each type of request. */
export interface ReaderResults {
  readonly open: TableFacts;
  readonly column: ColumnCells;
  readonly value: { readonly cell: Cell; readonly length: number };
  readonly copy: CopiedRange;
  readonly arrange: ArrangingSoFar;
  readonly arrangeOn: ArrangingSoFar;
  readonly arranged: ArrangedRows;
  readonly find: FoundSoFar;
  readonly findOn: FoundSoFar;
}

/** What the process says. */
export type FromReader =
  | { readonly type: "done"; readonly result: ReaderResults[keyof ReaderResults] }
  | {
      readonly type: "failed";
      readonly message: string;
      readonly remedy: string;
      readonly reason: ParquetError["reason"];
    }
  /** Asks for an answer of the store. */
  | { readonly type: "request"; readonly id: number; readonly request: BucketRequest }
  /** Asks for bytes of the file, at most `mostBytes` at once. */
  | { readonly type: "bytes"; readonly start: number; readonly end: number };

/** What the host sends: a request, or what it was asked for. */
export type ToReader =
  | ReaderRequest
  | { readonly type: "bytes"; readonly bytes: Uint8Array }
  | { readonly type: "answer"; readonly id: number; readonly answer: BucketAnswer };

/** What one message carries of a file's bytes, so that the host is never busy with one for long. */
export const mostBytes = 4 * 2 ** 20;
