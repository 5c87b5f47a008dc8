import { isReleasing } from "../merchant-jobs/statuses.ts";
import type { MerchantJob } from "../merchant-jobs/tables.ts";
import type { KindWork } from "../merchant-jobs/work.ts";
import { checkPage } from "./check.ts";
import type { ImportInput } from "./create.ts";
import { releaseRow } from "./release.ts";
import { makeRemoteMethod } from "./remote-methods.ts";
import { undoRow } from "./undo.ts";
import { writeOrder } from "./write-order.ts";
import { prepareSubscriptionWriter } from "./write-subscription.ts";

/**
 * The work of messages on an import: it is checked page by page, and written, released and undone row by row. Before its rows are written the
 * store makes the payment methods that providers keep.
 */
export function importWork(job: MerchantJob): KindWork {
  const { format }: ImportInput = JSON.parse(job.input);
  const writing = {
    takes: "PENDING",
    done: "OK",
    ...(format === "orders" ? { row: writeOrder } : { openRows: prepareSubscriptionWriter }),
  } as const;
  const making = {
    takes: "PENDING",
    needsInput: true,
    row: makeRemoteMethod,
    next: { step: "rows", after: 0 },
  } as const;
  const isMaking = format !== "orders" && JSON.parse(job.progress).step !== "rows";
  const releasing = { takes: "OK", done: "OK", row: releaseRow } as const;
  return {
    CHECKING: { page: checkPage },
    RUNNING: isReleasing(job) ? releasing : isMaking ? making : writing,
    UNDOING: { takes: "OK", done: "UNDONE", row: undoRow },
  };
}
