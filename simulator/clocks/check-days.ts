import { raw, read } from "../../src/base/db/statement.ts";
import { dateIn } from "../../src/base/lib/time/dates.ts";
import { plusDays } from "../accounts/calendar.ts";
import { billedEveryDays, timezone } from "../accounts/further-account.ts";
import { type ClockAccount, retryDays } from "./account.ts";

type Charged = { subscription_id: string; created_at: string; status: string };

/**
 * Each billing is begun, and its order made, on the account's date on which it was due: a regular one every other day, and after a decline
 * the agreed days, whatever dies with a charge in its hands.
 */
export async function checkDays({ world, regular, declined }: ClockAccount): Promise<void> {
  const { database, account, report } = world;
  const [attempts, orders, [clock]] = await read<[Charged, Charged, { clock_at: string }]>(database, [
    raw("SELECT * FROM billing_attempts WHERE account_seq = ? ORDER BY created_at, id", account.seq),
    raw(
      `SELECT o.created_at, s.subscription_id FROM orders AS o JOIN order_subscriptions AS s
        ON s.account_seq = o.account_seq AND s.order_id = o.id WHERE o.account_seq = ? ORDER BY o.created_at, o.id`,
      account.seq,
    ),
    raw("SELECT clock_at FROM accounts WHERE seq = ?", account.seq),
  ]);
  const today = dateIn(clock!.clock_at, timezone);
  const daysOf = (rows: Charged[], id: string): string[] =>
    rows.filter((row) => row.subscription_id === id).map((row) => dateIn(row.created_at, timezone));
  const agreed: string[] = [];
  for (let day = regular.first; day <= today; day = plusDays(day, billedEveryDays)) agreed.push(day);
  const charged = [...new Set(daysOf(attempts, regular.id))];
  if (charged.join() !== agreed.join()) report(rule, `charged on ${charged}, and not on ${agreed}`);
  const delivered = daysOf(orders, regular.id);
  if (delivered.join() !== agreed.join()) report(rule, `delivered on ${delivered}, and not on ${agreed}`);
  const tried = [...new Set(daysOf(attempts, declined.id))];
  const planned = [0, ...retryDays].map((days) => plusDays(declined.first, days));
  const isTimely = (day: string, nth: number) => day >= planned[nth]! && day <= plusDays(planned[nth]!, 1);
  const left = planned.slice(tried.length).filter((day) => plusDays(day, 1) < today);
  if (tried.length > planned.length || !tried.every(isTimely) || left.length > 0)
    report(rule, `a card that is declined is tried on ${tried}, and not on ${planned}, by ${today}`);
}

const rule = "a test clock's work is done on its day";
