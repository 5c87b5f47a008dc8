import { eq, type SQL, sql } from "drizzle-orm";
import { seqOfId } from "../db/account-seq.ts";
import { ConstraintError, commit, type Writer } from "../db/commit.ts";
import { guard, isGuard } from "../db/guard.ts";
import type { Db, Statement } from "../db/port.ts";
import { retryOnConflict, StaleError } from "../db/retry-on-conflict.ts";
import { build, first, raw, statement } from "../db/statement.ts";
import { DomainError, notFound } from "../errors.ts";
import { diff } from "../lib/diff.ts";
import { newId } from "../lib/ids.ts";
import { toMajor } from "../lib/money.ts";
import { type Author, insertAccountEntry } from "./history.ts";
import { issueKey, keyWrites } from "./keys.ts";
import { portalSettingsOf } from "./portal-settings.ts";
import { forgetAccount } from "./queries.ts";
import type { NewAccount } from "./rules.ts";
import { defaultSettings } from "./settings.ts";
import { type Account, accounts, type ForeignAccount } from "./tables.ts";

/**
 * A new account with its first key. Throws INVALID_STATE if the shop has an account. An account's object begins with what stands
 * here, when it is first called, and compares its charges itself.
 */
export async function createAccount(
  db: Db,
  { shop, name, timezone, currency, engine = "d1", is_test = false }: NewAccount,
  now: string,
): Promise<{ account: Account; text: string }> {
  const id = newId();
  const account: ForeignAccount = {
    id,
    name: name ?? shop,
    shop,
    timezone,
    currency_code: currency,
    created_at: now,
    updated_at: now,
    ...defaultSettings,
    engine,
    is_test: is_test ? 1 : 0,
  };
  const { key, text } = await issueKey({ accountId: id, name: "default", now });
  try {
    const directoryOnly = engine === db.engine ? [] : [deleteReconciliation(id)];
    const [inserted] = await commit({ db }, [insertAccount(account), ...directoryOnly, ...keyWrites(key)]);
    return { account: { ...account, seq: inserted.rows[0]!.seq }, text };
  } catch (error) {
    if (error instanceof ConstraintError && error.on === "accounts.shop") throw newShopTakenError(shop);
    throw error;
  }
}

type Settings = Partial<
  Pick<
    Account,
    | "name"
    | "timezone"
    | "currency_code"
    | "dunning_retry_days"
    | "dunning_final_action"
    | "payment_reminder_days_before"
    | "out_of_stock_action"
    | "prepaid_on_end"
    | "on_foreign_charge"
    | "on_dispute"
    | "notify_payment_update"
    | "notify_every_retry"
    | "require_address"
    | "support_max_discount_percent"
    | "support_max_refund"
    | "portal"
  >
>;
/** The settings to change, or how they follow from the account as it is. */
type Change = Settings | ((account: Account) => Settings);
type AccountChange = { id: string; values: Change; author: Author; now: string };

/**
 * Changes the settings that are named, with one entry in the history, and returns the account as it then is. Nothing is
 * written if they have these values already. Throws INVALID_STATE for another currency once something is priced. Only
 * operators rename the shop (rename.ts).
 */
export async function changeAccount(writer: Writer, change: AccountChange): Promise<Account> {
  try {
    return await retryOnConflict(() => changeOnce(writer, change));
  } finally {
    forgetAccount(change.id);
  }
}

/** The database gives the account a number, which the statement returns. */
export function insertAccount(account: ForeignAccount): Statement<Pick<Account, "seq">> {
  const { seq: _, ...row } = account as Account;
  return statement(build.insert(accounts).values(row).returning({ seq: accounts.seq }));
}

/** A trigger schedules it where the account's row is made. */
export function deleteReconciliation(accountId: string): Statement {
  return raw(`DELETE FROM reconciliations WHERE account_seq = ${seqOfId}`, accountId);
}

export function newShopTakenError(shop: string): DomainError {
  return new DomainError("INVALID_STATE", `The shop ${shop} has an account already`);
}

async function changeOnce(
  writer: Writer,
  { id, values: change, author, now }: AccountChange,
): Promise<Account> {
  const query = build.select().from(accounts).where(eq(accounts.id, id));
  const account = await first(writer.db, statement(query));
  if (!account) throw notFound("Account");
  const values = typeof change === "function" ? change(account) : change;
  const changes = diff(account, values);
  if (Object.keys(changes).length === 0) return account;
  const updated = { ...account, ...values, updated_at: now };
  const entry = insertAccountEntry({
    account: account.seq,
    action: "account_updated",
    subject: { type: "account", id: unchangedId(account, Object.keys(changes) as (keyof Settings)[]) },
    changes: readable(changes, account),
    author,
    now,
  });
  const update = build
    .update(accounts)
    .set({ ...values, updated_at: now })
    .where(eq(accounts.id, id));
  const { currency_code } = values;
  const guards = currency_code === undefined ? [] : [guardUnpriced(account, currency_code)];
  try {
    await commit(writer, [
      ...guards,
      entry,
      statement(update),
      ...updateBlockedForAddress(account, values, now),
    ]);
  } catch (error) {
    if (isGuard(error))
      throw new DomainError(
        "INVALID_STATE",
        "Cannot change the currency: there are plans, catalogue items, subscriptions or orders in it",
      );
    if (error instanceof ConstraintError && error.on === "activity_logs.loggable_id") throw new StaleError();
    throw error;
  }
  return updated;
}

/** Billing that waits for addresses goes on where the account no longer asks for them. */
function updateBlockedForAddress({ seq }: Account, { require_address }: Settings, now: string): Statement[] {
  if (require_address !== 0) return [];
  const update = `UPDATE subscriptions SET billing_blocked_reason = NULL, billing_retry_at = ?
    WHERE account_seq = ? AND billing_blocked_reason = 'address_missing'`;
  return [raw(update, now, seq)];
}

/** The account's id if these settings still are as they were read, else NULL. */
function unchangedId(account: Account, settings: (keyof Settings)[]): SQL<string> {
  const conditions = settings.map((name) => sql`${accounts[name]} IS ${account[name]}`);
  return sql<string>`(SELECT ${accounts.id} FROM ${accounts}
    WHERE ${accounts.id} = ${account.id} AND ${sql.join(conditions, sql` AND `)})`;
}

/** The history shows the values of the API: of flags and of what is stored as JSON, each of the portal's settings by itself. */
function readable(changes: ReturnType<typeof diff>, { currency_code }: Account): ReturnType<typeof diff> {
  const { dunning_retry_days: days, portal, support_max_refund: refund, ...rest } = changes;
  const major = (amount: unknown) => (amount === null ? null : toMajor(amount as number, currency_code));
  const flags = flagSettings.flatMap((name) => {
    const change = changes[name];
    return change ? [[name, { from: change.from === 1, to: change.to === 1 }]] : [];
  });
  return {
    ...rest,
    ...(days
      ? { dunning_retry_days: { from: JSON.parse(String(days.from)), to: JSON.parse(String(days.to)) } }
      : {}),
    ...Object.fromEntries(flags),
    ...(refund ? { support_max_refund: { from: major(refund.from), to: major(refund.to) } } : {}),
    ...(portal ? portalChanges(String(portal.from), String(portal.to)) : {}),
  };
}

const flagSettings = ["notify_payment_update", "notify_every_retry", "require_address"] as const;

function portalChanges(from: string, to: string): ReturnType<typeof diff> {
  const [before, after] = [portalSettingsOf({ portal: from }), portalSettingsOf({ portal: to })];
  const differing = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]),
  );
  return Object.fromEntries(
    differing.map(([name, value]) => [
      `portal.${name}`,
      { from: before[name as keyof typeof before], to: value },
    ]),
  ) as ReturnType<typeof diff>;
}

/**
 * Amounts are stored in minor units of the currency that they were priced in, so nothing may exist in another one. Guards are SQL:
 * the builder has no insert that selects from no table (db/guard.ts).
 */
function guardUnpriced({ seq }: Account, currency: string): Statement {
  return guard(
    `EXISTS (SELECT 1 FROM accounts WHERE seq = ? AND currency_code <> ?)
      AND (EXISTS (SELECT 1 FROM selling_plans WHERE account_seq = ?) OR EXISTS (SELECT 1 FROM catalogue_items WHERE account_seq = ?)
        OR EXISTS (SELECT 1 FROM subscriptions WHERE account_seq = ?) OR EXISTS (SELECT 1 FROM orders WHERE account_seq = ?))`,
    [seq, currency, seq, seq, seq, seq],
  );
}
