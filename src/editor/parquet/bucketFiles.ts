/** Exported files where they lie: found by their destination, and read only from a store that a person agreed to. */

import * as vscode from "vscode";
import type { Credentials, DestinationConfig } from "../../api/bulkExports/destinations.ts";
import type { Platforms } from "../connections/platforms.ts";
import { askCredentials } from "../destinations/credentials.ts";
import type { Network } from "../network/network.ts";
import { SCHEME, SECTION, SETTINGS } from "../kit/ids.ts";
import { KeptList } from "../kit/keptList.ts";
import { confirm } from "../kit/notice.ts";
import { NotPossibleError } from "../kit/remedies.ts";
import { oneLine } from "../kit/words.ts";
import type { BucketObject } from "./readerMessages.ts";
import type { TableFile } from "./tableReader.ts";

/** A file as an export names it: with the bucket in front, unless the store's address names that. */
export interface ExportedFileRef {
  readonly connectionId: string;
  readonly destinationId: string;
  readonly file: string;
}

/** Keys that a person gave for buckets, until the window is closed. */
export type BucketKeys = Map<string, Credentials>;

interface Needs {
  readonly platforms: Platforms;
  readonly network: Pick<Network, "dispatcher">;
  readonly context: Pick<vscode.ExtensionContext, "globalState">;
}

const mostAgreed = 100;
const keysForReading = "They sign requests to the store until this window is closed, and are kept nowhere.";

/** The address under which the editor opens an exported file. */
export function exportedFileUri({ connectionId, destinationId, file }: ExportedFileRef): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/bucket/${connectionId}/${destinationId}/${file}` });
}

/** Whether it is one, and not a file of the workspace or of this machine. */
export function isExportedFile({ scheme, path }: vscode.Uri): boolean {
  return scheme === SCHEME && path.startsWith("/bucket/");
}

/**
 * Where it lies; asks once for each bucket, and for the bucket's keys where `otherKeys` are wanted. Throws when a person does
 * not want it read or gives no keys, and what the platform answers.
 */
export async function exportedFile(
  { platforms, network, context }: Needs,
  given: BucketKeys,
  uri: vscode.Uri,
  otherKeys: boolean,
): Promise<TableFile> {
  const [, connectionId = "", destinationId = "", file = ""] =
    /^\/bucket\/([^/]+)\/([^/]+)\/(.+)$/.exec(uri.path) ?? [];
  const { config } = (await (await platforms.destinations(connectionId)).get(destinationId)) ?? {};
  if (config === undefined)
    throw new NotPossibleError(
      "The platform does not say where the bucket is.",
      "Copy the file's path instead.",
    );
  const profile = vscode.workspace.getConfiguration(SECTION).get<string>(SETTINGS.awsProfile, "");
  const stored = storedAt(config, file);
  const name = file.split("/").at(-1) ?? file;
  const agreed = new KeptList<{ readonly store: string; readonly bucket: string }>(
    context.globalState,
    "buckets.agreed",
    ({ store, bucket }) => `${store} ${bucket}`,
    mostAgreed,
  );
  const agreedTo = { store: stored.endpoint ?? `AWS ${stored.region ?? ""}`.trim(), bucket: stored.bucket };
  const place = `${agreedTo.store} ${agreedTo.bucket}`;
  if (agreed.get(place) === undefined) {
    const whose = profile === "" ? "your own AWS profile or environment" : `your AWS profile “${profile}”`;
    await confirm(
      `Read “${oneLine(name)}” from the bucket “${oneLine(stored.bucket)}” at ${oneLine(agreedTo.store)}?`,
      `The platform names this bucket. Requests are signed with ${whose}, and whoever runs the store sees them. Nothing of the keys or of the file is kept. You are asked once for each bucket.`,
      "Read",
    );
    await agreed.keep(agreedTo);
  }
  if (otherKeys) {
    const title = `Keys of “${oneLine(stored.bucket)}” at ${oneLine(agreedTo.store)}`;
    const { values } = await askCredentials({ title }, keysForReading);
    if (values !== undefined) given.set(place, values);
  }
  const object = { ...stored, profile: profile === "" ? undefined : profile, keys: given.get(place) };
  return { name, object, dispatcher: async () => network.dispatcher() };
}

function storedAt(
  {
    bucket_name: bucket,
    region,
    endpoint_url,
    include_bucket_in_prefix,
    config_kwargs_s3,
  }: DestinationConfig,
  file: string,
): Omit<BucketObject, "profile" | "keys"> {
  const endpoint = endpoint_url ?? undefined;
  const url = endpoint === undefined ? undefined : URL.parse(endpoint);
  const isWeb = url !== null && (url === undefined || /^https?:$/.test(url.protocol));
  if (!isWeb || url?.username || url?.password)
    throw new NotPossibleError(
      "The address of the store is no web address.",
      "Copy the file's path instead.",
    );
  const hasBucket = include_bucket_in_prefix !== false;
  const style = config_kwargs_s3?.addressing_style;
  return {
    bucket,
    key: hasBucket && file.startsWith(`${bucket}/`) ? file.slice(bucket.length + 1) : file,
    region: region ?? undefined,
    endpoint,
    endpointIsBucket: endpoint !== undefined && !hasBucket,
    forcePathStyle: style === "path" || (style !== "virtual" && endpoint !== undefined),
  };
}
