/** Exported files where they lie: found by their destination, and read only from a store that a person agreed to. */

import * as vscode from "vscode";
import type { DestinationConfig } from "../../api/bulkExports/destinations.ts";
import type { Platforms } from "../connections/platforms.ts";
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

interface Needs {
  readonly platforms: Platforms;
  readonly network: Pick<Network, "dispatcher">;
  readonly context: Pick<vscode.ExtensionContext, "globalState">;
}

const mostAgreed = 100;

/** The address under which the editor opens an exported file. */
export function exportedFileUri({ connectionId, destinationId, file }: ExportedFileRef): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/bucket/${connectionId}/${destinationId}/${file}` });
}

/** Whether it is one, and not a file of the workspace or of this machine. */
export function isExportedFile({ scheme, path }: vscode.Uri): boolean {
  return scheme === SCHEME && path.startsWith("/bucket/");
}

/** Where it lies; asks once for each bucket. Throws when a person does not want it read, and what the platform answers. */
export async function exportedFile(
  { platforms, network, context }: Needs,
  uri: vscode.Uri,
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
  const object = { ...stored, profile: profile === "" ? undefined : profile };
  const name = file.split("/").at(-1) ?? file;
  const agreed = new KeptList<{ readonly store: string; readonly bucket: string }>(
    context.globalState,
    "buckets.agreed",
    ({ store, bucket }) => `${store} ${bucket}`,
    mostAgreed,
  );
  const agreedTo = { store: object.endpoint ?? `AWS ${object.region ?? ""}`.trim(), bucket: object.bucket };
  if (agreed.get(`${agreedTo.store} ${agreedTo.bucket}`) === undefined) {
    const whose = profile === "" ? "your own AWS profile or environment" : `your AWS profile “${profile}”`;
    await confirm(
      `Read “${oneLine(name)}” from the bucket “${oneLine(stored.bucket)}” at ${oneLine(agreedTo.store)}?`,
      `The platform names this bucket. Requests are signed with ${whose}, and whoever runs the store sees them. Nothing of the keys or of the file is kept. You are asked once for each bucket.`,
      "Read",
    );
    await agreed.keep(agreedTo);
  }
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
): Omit<BucketObject, "profile"> {
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
