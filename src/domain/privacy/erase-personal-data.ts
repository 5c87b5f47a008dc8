import { and, eq, inArray, isNotNull, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import {
  getTableConfig,
  type SQLiteColumn,
  type SQLiteTable,
  type SQLiteUpdateSetSource,
} from "drizzle-orm/sqlite-core";
import type { AccountSeq } from "../../base/db/columns.ts";
import { commit } from "../../base/db/commit.ts";
import type { Statement } from "../../base/db/port.ts";
import { retryOnConflict } from "../../base/db/retry-on-conflict.ts";
import { build, columnsEqual, first, type Params, prepare, raw, statement } from "../../base/db/statement.ts";
import type { Ctx } from "../../kit/context.ts";
import { activityLogs, activityLogsBy } from "../../kit/journal/tables.ts";
import { change } from "../../kit/journal/write.ts";
import { onItsOwn } from "../../kit/on-its-own.ts";
import { cancellationCases } from "../cancellation/tables.ts";
import { entities } from "../entities/tables.ts";
import { mails } from "../mail/tables.ts";
import { endedColumns } from "../mail/unsettled.ts";
import { paymentMethods } from "../payment-methods/tables.ts";
import { changedFields, profileEntry } from "../profiles/entries.ts";
import { deriveColumns, emptyProfile, erasedEmail } from "../profiles/rules.ts";
import { deliveryAddresses, profiles } from "../profiles/tables.ts";
import { portalLinks, portalSessions } from "../sessions/tables.ts";
import { subscriptionSkips, subscriptions } from "../subscriptions/tables.ts";
import {
  deleteImportLines,
  deleteRemoteMethods,
  updateErasedImportSummaries,
  updateErasedJobInputs,
  updateErasedJobRows,
} from "./erase-jobs.ts";
import { eraseTracking, updateErasedRefundReasons } from "./erase-orders.ts";
import {
  updateErasedAcknowledgements,
  updateErasedConsents,
  updateErasedDeclarations,
} from "./erase-proofs.ts";
import { batchSize, type Customer, notNull } from "./erasure-batches.ts";

/**
 * Erases what a profile, its records and their history say of a person. Goods, dates and amounts remain, under ids that lead to
 * nobody. The batches are bounded and the profile comes last, so a repetition continues an interrupted erasure. What cannot be erased keeps
 * nothing else; false is returned then, and the profile is left, as the rest is found by it.
 */
export async function erasePersonalData(ctx: Ctx, profileId: string): Promise<boolean> {
  const customer = { account_seq: ctx.account.seq, profile_id: profileId, now: ctx.now };
  const works = [
    ...erasures.map((erasure) => () => repeatUntilDone(ctx, erasure(customer))),
    () => eraseTracking(ctx, profileId),
  ];
  let isErased = true;
  for (const work of works) {
    const names = { task: "erase_customer", profile_id: profileId };
    isErased = ((await onItsOwn(ctx, names, work)) ?? false) && isErased;
  }
  if (isErased) await retryOnConflict(() => eraseProfile(ctx, profileId));
  return isErased;
}

/** Repeats a statement, which changes and returns at most `batchSize` rows, until it finds no more. */
async function repeatUntilDone({ db }: Ctx, statement: Statement): Promise<true> {
  for (;;) {
    const [written] = await commit({ db }, [statement]);
    if ((written?.rows.length ?? 0) < batchSize) return true;
  }
}

type Its = Params<Customer>;

/** Everything personal but the profile itself and the tracking of its orders. Rows that are erased match no more. */
const erasures: ((customer: Customer) => Statement)[] = [
  ...[entriesByProfile, entriesByRecord].map((entries) =>
    prepare((p: Its) =>
      erase(activityLogs, {
        ...entries(p),
        holds: or(
          ...notNull(activityLogs.description, activityLogs.changes, activityLogs.metadata),
          and(eq(activityLogs.actor_type, "customer"), isNotNull(activityLogs.actor_name)),
        ),
        set: {
          ...{ description: null, changes: null, metadata: null },
          actor_name: sql`CASE WHEN ${activityLogs.actor_type} = 'customer' THEN NULL ELSE ${activityLogs.actor_name} END`,
        },
      }),
    ),
  ),
  prepare((p: Its) =>
    erase(subscriptions, {
      of: ofProfile(p, subscriptions),
      holds: or(
        ...notNull(subscriptions.delivery_address, subscriptions.delivery_instructions),
        ...notNull(subscriptions.note, subscriptions.entity_label, subscriptions.custom_attributes),
        ...notNull(subscriptions.pause_reason, subscriptions.cancellation_reason),
      ),
      set: {
        ...{ delivery_address: null, delivery_instructions: null, note: null, entity_label: null },
        ...{ custom_attributes: null, pause_reason: null, cancellation_reason: null },
        revision: sql`${subscriptions.revision} + 1`,
        updated_at: sql`${p("now")}`,
      },
    }),
  ),
  prepare((p: Its) =>
    erase(cancellationCases, {
      of: ofProfile(p, cancellationCases),
      holds: isNotNull(cancellationCases.note),
      set: { note: null, updated_at: sql`${p("now")}` },
    }),
  ),
  prepare((p: Its) => {
    const { account_seq, subscription_id, reason } = subscriptionSkips;
    const ids = build.select({ id: subscriptions.id }).from(subscriptions).where(ofProfile(p, subscriptions));
    return erase(subscriptionSkips, {
      of: and(eq(account_seq, p("account_seq")), inArray(subscription_id, ids)),
      holds: isNotNull(reason),
      set: { reason: null },
    });
  }),
  updateErasedDeclarations,
  updateErasedConsents,
  updateErasedAcknowledgements,
  ...eachByItsIndex(entities.deleted_at).map((deletion) =>
    prepare((p: Its) =>
      erase(entities, {
        of: ofProfile(p, entities, deletion),
        holds: or(
          ne(entities.name, "Redacted"),
          ...notNull(entities.image_url, entities.wizard_id),
          ne(entities.attributes, "{}"),
        ),
        set: {
          ...{ name: "Redacted", image_url: null, wizard_id: null, attributes: "{}" },
          updated_at: sql`${p("now")}`,
          deleted_at: sql`COALESCE(${entities.deleted_at}, ${p("now")})`,
        },
      }),
    ),
  ),
  prepare((p: Its) =>
    erase(paymentMethods, {
      of: ofProfile(p, paymentMethods),
      holds: sql`${paymentMethods.store_payment_method_id} <> 'redacted-' || ${paymentMethods.id}`,
      set: {
        store_payment_method_id: sql`'redacted-' || ${paymentMethods.id}`,
        ...{ brand: null, last4: null, exp_month: null, exp_year: null, status: "REVOKED" },
        ...{ expiry_seen_of: null, expiry_next_on: null },
        updated_at: sql`${p("now")}`,
      },
    }),
  ),
  ...eachByItsIndex(deliveryAddresses.deleted_at).map((deletion) =>
    prepare((p: Its) => remove(deliveryAddresses, ofProfile(p, deliveryAddresses, deletion))),
  ),
  deleteContents,
  updateErasedRefundReasons,
  prepare((p: Its) =>
    erase(mails, {
      of: ofProfile(p, mails),
      holds: or(...notNull(mails.recipient, mails.subject), sql`${mails.status} = 'PENDING'`),
      set: {
        ...{ recipient: null, subject: null, is_masked: 1 },
        ...endedColumns("no_customer"),
      },
    }),
  ),
  deleteImages,
  updateErasedJobRows,
  updateErasedJobInputs,
  deleteImportLines,
  updateErasedImportSummaries,
  deleteRemoteMethods,
  prepare((p: Its) => remove(portalLinks, ofProfile(p, portalLinks))),
  prepare((p: Its) => remove(portalSessions, ofProfile(p, portalSessions))),
];

function ofProfile(
  p: Its,
  table: { account_seq: SQLiteColumn; profile_id: SQLiteColumn },
  ...more: SQL[]
): SQL | undefined {
  return and(columnsEqual(table, p, "account_seq", "profile_id"), ...more);
}

/** Mails as they were rendered. Their rows name no profile, so that the builder's `remove` does not find them. */
function deleteContents({ account_seq, profile_id }: Customer): Statement {
  return raw(
    `DELETE FROM mail_contents WHERE account_seq = ?1 AND mail_id IN (
        SELECT kept.mail_id FROM mails CROSS JOIN mail_contents AS kept
          ON kept.account_seq = mails.account_seq AND kept.mail_id = mails.id
        WHERE mails.account_seq = ?1 AND mails.profile_id = ?2 LIMIT ?3)
      RETURNING account_seq`,
    ...[account_seq, profile_id, batchSize],
  );
}

/** The customer's subscriptions as they were before changes that could be undone. */
function deleteImages({ account_seq, profile_id }: Customer): Statement {
  return raw(
    `DELETE FROM undo_images WHERE (account_seq, subscription_id, entry_id) IN (
        SELECT its.account_seq, its.subscription_id, its.entry_id FROM subscriptions CROSS JOIN undo_images AS its
          ON its.account_seq = subscriptions.account_seq AND its.subscription_id = subscriptions.id
        WHERE subscriptions.account_seq = ?1 AND subscriptions.profile_id = ?2 LIMIT ?3)
      RETURNING account_seq`,
    ...[account_seq, profile_id, batchSize],
  );
}

/** The feed's entries and those about the profile itself have an index each, in these words. */
function entriesByProfile(p: Its): { by: SQL; of: SQL } {
  const { account_seq, loggable_type, profile_id } = activityLogs;
  return {
    by: activityLogsBy("profile"),
    of: sql`${account_seq} = ${p("account_seq")} AND ${profile_id} = ${p("profile_id")} AND ${loggable_type} IN ('subscription', 'order')`,
  };
}

function entriesByRecord(p: Its): { by: SQL; of: SQL } {
  const { account_seq, loggable_type, loggable_id } = activityLogs;
  return {
    by: activityLogsBy("record"),
    of: sql`${account_seq} = ${p("account_seq")} AND ${loggable_type} = 'profile' AND ${loggable_id} = ${p("profile_id")}`,
  };
}

/** Living and deleted rows have an index each, so they are found one after the other. */
function eachByItsIndex(deletedAt: SQLiteColumn): SQL[] {
  return [isNull(deletedAt), isNotNull(deletedAt)];
}

type AccountsTable = SQLiteTable & { account_seq: SQLiteColumn; id: SQLiteColumn };

/** `of` says whose rows, `holds` which of them still hold something personal, `by` the table by an index, if that has to be named. */
type Erasure<T extends SQLiteTable> = {
  by?: SQL;
  of: SQL | undefined;
  holds: SQL | undefined;
  set: SQLiteUpdateSetSource<T>;
};

function erase<T extends AccountsTable>(table: T, { by, of, holds, set }: Erasure<T>) {
  return build
    .update(table)
    .set(set)
    .where(someOf(table, and(of, holds), by))
    .returning({ account_seq: table.account_seq });
}

function remove(table: AccountsTable, of: SQL | undefined) {
  return build.delete(table).where(someOf(table, of)).returning({ account_seq: table.account_seq });
}

/** By the key of the table, because not every table has row ids. */
function someOf(table: AccountsTable, condition: SQL | undefined, by = sql`${table}`): SQL {
  const { primaryKeys } = getTableConfig(table);
  const key = sql.join(primaryKeys[0]?.columns ?? [table.account_seq, table.id], sql`, `);
  return sql`(${key}) IN (SELECT ${key} FROM ${by} WHERE ${condition} LIMIT ${batchSize})`;
}

/** The profile itself, once, with the event that says so. The event names the fields, not their values. */
async function eraseProfile(ctx: Ctx, id: string): Promise<void> {
  const profile = await first(ctx.db, profileOf(ctx.account.seq, id));
  const values = { ...emptyProfile, email: erasedEmail(id) };
  const fields = profile ? changedFields(profile, values) : [];
  if (!profile || fields.length === 0) return;
  const after = { ...values, ...deriveColumns(values) };
  await change(ctx, { ...profileEntry("profile_updated", profile, fields), after });
}

/** Also a profile that is deleted. */
function profileOf(accountSeq: AccountSeq, id: string) {
  const isIt = and(eq(profiles.account_seq, accountSeq), eq(profiles.id, id));
  return statement(build.select().from(profiles).where(isIt));
}
