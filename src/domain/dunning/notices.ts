import { and, eq, inArray, sql } from "drizzle-orm";
import type { AccountSeq } from "../../base/db/columns.ts";
import { commit } from "../../base/db/commit.ts";
import { guard } from "../../base/db/guard.ts";
import type { Statement } from "../../base/db/port.ts";
import { build, columnsEqual, first, type Params, prepare, statement } from "../../base/db/statement.ts";
import { notifyCustomerJob } from "../../base/job.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { defineOutbox, dueBy } from "../../kit/outbox/outbox.ts";
import { defineSweep } from "../../kit/outbox/sweep.ts";
import type { Part } from "../subscriptions/part.ts";
import type { Subscription } from "../subscriptions/tables.ts";
import { type CustomerNotice, customerNotices as notices } from "./tables.ts";

/**
 * Has the customer notified of a decline for good, in the batch that records it, where the account has its store send such notices. An
 * episode has one notice: a further decline asks again only if the store has refused it.
 */
export function notifyOfDecline(ctx: Ctx, row: Subscription, episodeId: string): Part {
  const { account, store, realNow } = ctx;
  if (account.notify_payment_update !== 1 || !store.askForPaymentMethod) return {};
  const due = { state: "PENDING", next_action_at: realNow, tries: 0, last_refusal: null } as const;
  const insert = build
    .insert(notices)
    .values({ account_seq: account.seq, dunning_episode_id: episodeId, subscription_id: row.id, ...due })
    .onConflictDoUpdate({
      target: [notices.account_seq, notices.dunning_episode_id],
      set: due,
      setWhere: eq(notices.state, "REFUSED"),
    });
  return { writes: [statement(insert)], jobs: [notifyCustomerJob(account.id, episodeId)] };
}

/** A notice that is due. One whose sender may still be at work is not. */
export async function findDueNotice(ctx: Ctx, episodeId: string): Promise<CustomerNotice | undefined> {
  const before = dueBy(ctx.realNow);
  return first(
    ctx.db,
    selectDueNotice({ account_seq: ctx.account.seq, dunning_episode_id: episodeId, before }),
  );
}

/** Takes a notice for its one request to the store; false if somebody else has taken it. */
export async function takeNotice(ctx: Ctx, notice: CustomerNotice): Promise<boolean> {
  const next_action_at = later(ctx.realNow, leaseMs);
  const sending = { state: "SENDING", next_action_at, tries: notice.tries + 1 } as const;
  const [taken] = await commit({ db: ctx.db }, [noticeOutbox.takeDue(notice, sending, ctx.realNow)]);
  return taken.rows.length > 0;
}

/**
 * A notice is taken by its state, which says what may have been sent, and by the number of its tries. A write to one belongs into
 * a batch with `guardUnchanged`.
 */
export const noticeOutbox = defineOutbox({
  table: notices,
  id: "dunning_episode_id",
  due: "next_action_at",
  fence: ["state", "tries"],
});

/** Whether nobody has taken or ended the notice since it was read. */
export async function isUnchanged({ db }: Ctx, notice: CustomerNotice): Promise<boolean> {
  const { tries } = notices;
  const found = await first(
    db,
    statement(build.select({ tries }).from(notices).where(noticeOutbox.isAsRead(notice))),
  );
  return found !== undefined;
}

/** Fails its batch if the notice has been taken, or is over, since it was read. */
export function guardUnchanged({ account_seq, dunning_episode_id, state, tries }: CustomerNotice): Statement {
  return guard(
    `NOT EXISTS (SELECT 1 FROM customer_notices
      WHERE account_seq = ? AND dunning_episode_id = ? AND state = ? AND tries = ?)`,
    [account_seq, dunning_episode_id, state, tries],
  );
}

/** Longer than a request to a store takes, with all that comes before it. */
const leaseMs = 300_000;

const selectDueNotice = prepare(
  (p: Params<{ account_seq: AccountSeq; dunning_episode_id: string; before: Instant }>) =>
    build
      .select()
      .from(notices)
      .where(
        and(
          columnsEqual(notices, p, "account_seq", "dunning_episode_id"),
          inArray(notices.state, ["PENDING", "SENDING"]),
          sql`${notices.next_action_at} <= ${p("before")}`,
        ),
      ),
);

/** Notices that are due, by real time: a message was lost, or a try is due again. Reads across accounts, as cron does. */
export const noticeSweep = defineSweep({ ...noticeOutbox, size: 100 }, ({ account_id, dunning_episode_id }) =>
  notifyCustomerJob(account_id, dunning_episode_id),
);
