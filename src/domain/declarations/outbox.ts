import { isNotNull } from "drizzle-orm";
import { carryOutJob } from "../../base/job.ts";
import { defineOutbox } from "../../kit/outbox/outbox.ts";
import { defineSweep } from "../../kit/outbox/sweep.ts";
import { declarations } from "./tables.ts";

/** A declaration waits until its job has been done, and is taken by its revision. */
const outbox = defineOutbox({
  table: declarations,
  id: "id",
  due: "next_action_at",
  lease: "lease_until",
  open: isNotNull(declarations.next_action_at),
  fence: ["revision"],
});

/** Declarations whose message was lost, by real time. Reads across accounts, as cron does. */
export const declarationSweep = defineSweep({ ...outbox, size: 100 }, ({ account_id, id }) =>
  carryOutJob(account_id, id),
);
