/** A client of bulk exports; each call throws an ApiError when it fails. Needs the workspace's id in X-Tenant-Id. */

import type { Http } from "../http.ts";
import { Destinations } from "./destinations.ts";
import { ExportJobs } from "./exportJobs.ts";

/** The destinations and export jobs of one workspace. */
export class BulkExports {
  readonly destinations: Destinations;
  readonly jobs: ExportJobs;

  constructor(http: Http) {
    this.destinations = new Destinations(http);
    this.jobs = new ExportJobs(http);
  }
}
