import type { Subject } from "../../kit/journal/write.ts";
import { jobs, type MerchantJob } from "./tables.ts";

/** A job as the subject of an entry in the history. */
export function subjectOfJob(row: MerchantJob): Subject {
  return { type: "job", table: jobs, row, subscription_id: null, order_id: null, profile_id: null };
}
