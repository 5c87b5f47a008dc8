import type { Ctx } from "../context.ts";
import type { Statement } from "../db/client.ts";
import { commit } from "../db/commit.ts";
import { rows } from "../db/statement.ts";
import { orderSearchText } from "../orders/search.ts";
import type { Order } from "../orders/tables.ts";
import { derived, emptyProfile, erasedEmail } from "../profiles/rules.ts";

/** Rows that one batch changes at most. */
const batchSize = 200;

type Erasure = {
  table: string;
  /** Whose rows: the account, then the profile. */
  of: string;
  /** What of them still holds something; once erased it holds no more. */
  holds: string;
  set: string;
};

const ofProfile = "account_id = ?1 AND profile_id = ?2";

/** Living and deleted rows, each found by an index of their own. */
const ofProfileInTurn = [`${ofProfile} AND deleted_at IS NULL`, `${ofProfile} AND deleted_at IS NOT NULL`];

/** Everything of a customer but the profile itself and its orders' tracking. `?3` is the instant. */
const erasures: Erasure[] = [
  {
    table: "activity_logs",
    of: ofProfile,
    holds: `description IS NOT NULL OR changes IS NOT NULL OR metadata IS NOT NULL
      OR (actor_type = 'customer' AND actor_name IS NOT NULL)`,
    set: `description = NULL, changes = NULL, metadata = NULL,
      actor_name = CASE WHEN actor_type = 'customer' THEN NULL ELSE actor_name END`,
  },
  {
    table: "subscriptions",
    of: ofProfile,
    holds: `delivery_address IS NOT NULL OR delivery_instructions IS NOT NULL OR note IS NOT NULL OR entity_label IS NOT NULL
      OR custom_attributes IS NOT NULL OR pause_reason IS NOT NULL OR cancellation_reason IS NOT NULL`,
    set: `delivery_address = NULL, delivery_instructions = NULL, note = NULL, entity_label = NULL, custom_attributes = NULL,
      pause_reason = NULL, cancellation_reason = NULL, revision = revision + 1, updated_at = ?3`,
  },
  {
    table: "subscription_skips",
    of: `account_id = ?1 AND subscription_id IN (SELECT id FROM subscriptions WHERE ${ofProfile})`,
    holds: "reason IS NOT NULL",
    set: "reason = NULL",
  },
  ...ofProfileInTurn.map((of) => ({
    table: "entities",
    of,
    holds: "name <> 'Redacted' OR image_url IS NOT NULL OR wizard_id IS NOT NULL OR attributes <> '{}'",
    set: `name = 'Redacted', image_url = NULL, wizard_id = NULL, attributes = '{}', updated_at = ?3,
      deleted_at = COALESCE(deleted_at, ?3)`,
  })),
  {
    table: "payment_methods",
    of: ofProfile,
    holds: "store_payment_method_id <> 'redacted-' || id",
    set: `store_payment_method_id = 'redacted-' || id, brand = NULL, last4 = NULL, exp_month = NULL, exp_year = NULL,
      status = 'REVOKED', updated_at = ?3`,
  },
];

const erase = ({ account, now }: Ctx, profileId: string, { table, of, holds, set }: Erasure): Statement => ({
  sql: `UPDATE ${table} SET ${set} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${of} AND (${holds}) LIMIT ?4)
    RETURNING account_id`,
  params: [account.id, profileId, now, batchSize],
});

const removeAddresses = ({ account }: Ctx, profileId: string, of: string): Statement => ({
  sql: `DELETE FROM delivery_addresses WHERE rowid IN
    (SELECT rowid FROM delivery_addresses WHERE ${of} LIMIT ?3) RETURNING id`,
  params: [account.id, profileId, batchSize],
});

/** Writes again and again, so many rows at a time, until there is nothing left to write. */
const untilNone = async ({ db }: Ctx, statement: Statement): Promise<void> => {
  for (;;) {
    const [written] = await commit({ db }, [statement]);
    if ((written?.rows.length ?? 0) < batchSize) return;
  }
};

type Tracked = Pick<Order, "id" | "store_order_id" | "store_order_number" | "external_order_number">;

/** Where an order was sent can be looked up by its tracking; it stands in its search text too. */
const eraseTracking = async (ctx: Ctx, profileId: string): Promise<void> => {
  const { db, account, now } = ctx;
  const tracked = await rows<Tracked>(db, {
    sql: `SELECT id, store_order_id, store_order_number, external_order_number FROM orders
      WHERE account_id = ? AND profile_id = ?
        AND (tracking_number IS NOT NULL OR tracking_company IS NOT NULL OR tracking_url IS NOT NULL) LIMIT ?`,
    params: [account.id, profileId, batchSize],
  });
  if (tracked.length === 0) return;
  const texts = tracked.map((order) => [order.id, orderSearchText(order)]);
  await commit({ db }, [
    {
      sql: `UPDATE orders SET tracking_number = NULL, tracking_company = NULL, tracking_url = NULL,
          search_text = told.value ->> 1, revision = revision + 1, updated_at = ?
        FROM json_each(?) AS told WHERE orders.account_id = ? AND orders.id = told.value ->> 0`,
      params: [now, JSON.stringify(texts), account.id],
    },
  ]);
  if (tracked.length === batchSize) await eraseTracking(ctx, profileId);
};

const eraseProfile = ({ account, now }: Ctx, id: string): Statement => {
  const values = { ...emptyProfile, email: erasedEmail(id) };
  const columns = { ...values, ...derived(values), updated_at: now };
  const set = Object.keys(columns).map((name) => `${name} = ?`);
  return {
    sql: `UPDATE profiles SET ${set.join(", ")}, revision = revision + 1 WHERE account_id = ? AND id = ?`,
    params: [...Object.values(columns), account.id, id],
  };
};

/**
 * Erases what a profile, its records and their history say of a person; what was bought, when and for how much stays, under
 * ids that lead to nobody. In bounded batches, the profile last: repeating it goes on where it was cut off.
 */
export const erasePersonalData = async (ctx: Ctx, profileId: string): Promise<void> => {
  for (const erasure of erasures) await untilNone(ctx, erase(ctx, profileId, erasure));
  for (const of of ofProfileInTurn) await untilNone(ctx, removeAddresses(ctx, profileId, of));
  await eraseTracking(ctx, profileId);
  await commit({ db: ctx.db }, [eraseProfile(ctx, profileId)]);
};
