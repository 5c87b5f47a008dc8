import type { Account } from "../../src/base/accounts/tables.ts";
import { raw, rows } from "../../src/base/db/statement.ts";
import { dateIn } from "../../src/base/lib/time/dates.ts";
import { timezone } from "../accounts/further-account.ts";
import type { World } from "../kernel/world.ts";

type Known = { ids: string[]; refs: string[]; chargeFrom: string };
type Attempt = { subscription_id: string; created_at: string; ref: string; held: string | null };

/**
 * Looks at an account that is moved in after each of its commits: nothing that is held is charged, nothing before charge_from, and no ref
 * has two subscriptions.
 */
export function newImportWatch({ database, report, count }: World) {
  let account: Account | undefined;
  let known: Known = { ids: [], refs: [], chargeFrom: "" };
  const ask = <R>(sql: string, ...params: string[]): Promise<R[]> =>
    rows(database, raw<R>(sql, account!.seq, ...params));

  const checkOnce = async (): Promise<void> => {
    const twice = await ask<{ ref: string; many: number }>(
      `SELECT migration_source_ref AS ref, COUNT(*) AS many FROM subscriptions WHERE account_seq = ?
        GROUP BY migration_source_ref HAVING many > 1`,
    );
    for (const { ref, many } of twice) report(once, `${many} subscriptions of ${ref}`);
  };

  const checkCharges = async (): Promise<void> => {
    const attempts = await ask<Attempt>(
      `SELECT a.subscription_id, a.created_at, s.migration_source_ref AS ref, s.billing_blocked_reason AS held
        FROM billing_attempts AS a JOIN subscriptions AS s ON s.account_seq = a.account_seq AND s.id = a.subscription_id
        WHERE a.account_seq = ?`,
    );
    for (const { ref, held, created_at } of attempts) {
      if (held === "import_held") report(onlyReleased, `${ref} is charged and held`);
      if (dateIn(created_at, timezone) < known.chargeFrom)
        report(notBefore, `${ref} is charged on ${created_at}, and charge_from is ${known.chargeFrom}`);
    }
  };

  const statusOf = async (id: string): Promise<string | undefined> =>
    (await ask<{ status: string }>("SELECT status FROM jobs WHERE account_seq = ? AND id = ?", id))[0]
      ?.status;

  const isHeld = async (id: string): Promise<boolean> =>
    (await ask("SELECT 1 FROM import_refs WHERE account_seq = ? AND job_id = ? AND is_held = 1 LIMIT 1", id))
      .length > 0;

  return {
    begin(of: Account, its: Known): void {
      account = of;
      known = its;
    },
    statusOf,
    isHeld,
    async made(): Promise<string[]> {
      return (await ask<{ id: string }>("SELECT id FROM subscriptions WHERE account_seq = ?")).map(
        ({ id }) => id,
      );
    },
    async look(): Promise<void> {
      if (!account) return;
      await checkOnce();
      await checkCharges();
    },
    /** Whether nothing of the imports is left to do. */
    async isSettled(): Promise<boolean> {
      for (const id of known.ids) {
        const status = await statusOf(id);
        if (status !== "UNDONE" && (status !== "DONE" || (await isHeld(id)))) return false;
      }
      return true;
    },
    /** Each ref has its subscription, unless that was undone; what was released is linked and charged. */
    async checkEnd(): Promise<void> {
      const statuses = await Promise.all(known.ids.map(statusOf));
      if (!statuses.every((status) => status === "DONE" || status === "UNDONE"))
        return report(toItsEnd, `the imports are ${statuses.join(" and ")}`);
      const made = await ask<{ ref: string; id: string; held: string | null }>(
        "SELECT migration_source_ref AS ref, id, billing_blocked_reason AS held FROM subscriptions WHERE account_seq = ?",
      );
      count("subscriptions that were moved in", made.length);
      const named = await ask<{ ref: string; record_id: string }>(
        "SELECT ref, record_id FROM import_refs WHERE account_seq = ? AND kind = 'subscription'",
      );
      const ofRow = ({ ref, id }: { ref: string; id: string }) => `${ref} ${id}`;
      const expected = made.map(ofRow).sort().join();
      if (
        named
          .map(({ ref, record_id }) => ofRow({ ref, id: record_id }))
          .sort()
          .join() !== expected
      )
        report(once, `the refs name ${named.length} subscriptions, and there are ${made.length}`);
      const unknown = made.filter(({ ref }) => !known.refs.includes(ref));
      for (const { ref } of unknown) report(notBefore, `${ref} was moved in`);
      const undone = await ask(
        "SELECT 1 FROM activity_logs WHERE account_seq = ? AND action = 'subscription_import_undone' LIMIT 1",
      );
      const changed = await ask<{ id: string }>(
        `SELECT undone.loggable_id AS id FROM activity_logs AS undone JOIN activity_logs AS changed
          ON changed.account_seq = undone.account_seq AND changed.loggable_id = undone.loggable_id
          WHERE undone.account_seq = ? AND undone.action = 'subscription_import_undone' AND changed.action IN (${byPeople})`,
      );
      for (const { id } of changed) report(keepsChanged, `${id} was changed, and is deleted`);
      if (undone.length > 0) return;
      const late = await ask<{ ref: string }>(
        `SELECT key AS ref FROM job_rows WHERE account_seq = ? AND status = 'FAILED'
          AND errors LIKE '%next_billing_date%must not be in the past%' GROUP BY key`,
      );
      const isMissing = (ref: string) => ![...made, ...late].some((one) => one.ref === ref);
      for (const ref of known.refs.filter(isMissing)) report(toItsEnd, `${ref} was not moved in`);
      for (const { ref, held } of made) if (held !== null) report(toItsEnd, `${ref} is ${held}`);
    },
  };
}

/** The changes after which nothing is deleted. */
const byPeople =
  "'subscription_paused', 'subscription_resumed', 'subscription_cancelled', 'subscription_reactivated', 'subscription_skipped', 'delivery_rescheduled', 'frequency_changed', 'ship_now_requested'";

const once = "a ref is moved in once";
const onlyReleased = "what is held is not charged";
const notBefore = "nothing is charged before charge_from";
const keepsChanged = "undoing an import keeps what was changed";
const toItsEnd = "an import comes to its end";
