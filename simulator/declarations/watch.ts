import { raw, rows } from "../../src/base/db/statement.ts";
import { emailKey } from "../../src/base/lib/email-address.ts";
import { laterOf } from "../../src/base/lib/time/calendar.ts";
import { type CalendarDate, dateIn } from "../../src/base/lib/time/dates.ts";
import type { Declaration } from "../../src/domain/declarations/tables.ts";
import { changesOf, type Seen, subscriptionSeen } from "../accounts/seen.ts";
import type { Task } from "../kernel/task.ts";
import type { World } from "../kernel/world.ts";
import { newUndoWatch } from "../undo/watch.ts";

/** A declaration of which a page has said that it was received. */
export type Confirmed = {
  form: "leave" | "withdraw";
  fields: Record<string, string>;
  /** When it was sent, and when it was answered. */
  from: number;
  at: number;
  restores: number;
};

/** An end that a declaration has led to: the subscription before it, and the day from which on nothing is charged. */
type End = { before: Seen; from: CalendarDate };

/** Looks after each commit at what was received: it is carried out where it fits, no charge is begun behind it, and a taken-back one leaves nothing. */
export function newDeclarationWatch(world: World) {
  const { account, database, report, count, subscriptionId } = world;
  const undone = newUndoWatch(world, { movesOn: true });
  const known = new Map<string, Declaration>();
  const ends = new Map<string, End>();

  const lookAt = async (row: Declaration, seen: Seen): Promise<void> => {
    const was = known.get(row.id);
    known.set(row.id, row);
    if (row.status === "CARRIED_OUT" && row.carried_out !== null && was?.status !== "CARRIED_OUT") {
      count("subscriptions ended by a declaration");
      const today = dateIn(new Date(world.clock).toISOString(), account.timezone);
      const wanted = laterOf(today, row.wants_on ?? today);
      const from = row.effective_on !== null && row.effective_on < wanted ? row.effective_on : wanted;
      const { revived } = await factsOf(world, row);
      if (revived > 0) report(cameBack, `it was received at ${row.recorded_at}, and carried out after that`);
      ends.set(row.id, { before: seen, from });
    }
    const isLookedFor = (!was || was.next_action_at !== null) && row.next_action_at === null;
    if (isLookedFor && row.status === "TO_DO" && (await isFitting(world, row, seen)))
      report(lost, `a cancellation that fits a subscription which is ${seen.status} is left`);
    if (row.status === "TAKEN_BACK" && was?.status === "CARRIED_OUT") leavesNothing(row.id);
  };

  const leavesNothing = (id: string): void => {
    count("declarations that were taken back");
    const before = ends.get(id)?.before;
    const now = subscriptionSeen(world, subscriptionId);
    ends.delete(id);
    if (!before || !now) return;
    if (now.ends_on !== before.ends_on || now.ends_after_cycle !== before.ends_after_cycle)
      report(takenBack, `it ended on ${before.ends_on}, and now on ${now.ends_on}`);
    if (ended.includes(now.status) && !ended.includes(before.status))
      report(takenBack, `it was ${before.status}, and is ${now.status}`);
  };

  /** Whoever comes back, or has the end undone, is charged again. */
  const isInForce = async (id: string): Promise<boolean> => {
    const after = await rows(database, selectRevivals(account.seq, subscriptionId, id));
    return after.length === 0;
  };

  return {
    async look(task: Task): Promise<void> {
      await undone.look();
      const { rows: changed, attempts } = changesOf(world);
      const change = changed.find(({ now }) => now.id === subscriptionId);
      const seen = change?.before ?? change?.now;
      const found = await rows(database, selectDeclarations(account.seq));
      if (seen) for (const row of found) await lookAt(row, seen);
      const today = dateIn(new Date(task.bornAt).toISOString(), account.timezone);
      for (const { before, now } of attempts) {
        if (before || now.store_reference !== null || now.subscription_id !== subscriptionId) continue;
        for (const [id, { from }] of ends)
          if (from <= today && (await isInForce(id)))
            report("no charge is begun once a cancellation has taken effect", `on ${today}, from ${from} on`);
      }
    },
    noteTakenBack(id: string): void {
      if (known.get(id)?.status !== "TAKEN_BACK") report(takenBack, "its page says so, and it is not");
    },
    rewind(): void {
      undone.restored();
      known.clear();
      ends.clear();
    },
  };
}

const lost = "nothing that was confirmed is lost";
const takenBack = "a declaration that is taken back leaves no end";
const cameBack = "a subscription that came back is not ended by what was declared before";
const ended = ["CANCELLED", "EXPIRED"];

/** Whether a declaration must be carried out by itself: it is the customer's own, of a subscription that has not come to life since, and none too many. */
async function isFitting(world: World, row: Declaration, seen: Seen) {
  if (row.kind !== "cancellation" || emailKey(row.email) !== "cy@customers.test") return false;
  if (!["ACTIVE", "PAUSED", "PAYMENT_FAILED"].includes(seen.status)) return false;
  const facts = await factsOf(world, row);
  const isNamed = row.number === null || row.number_folded === String(facts.number);
  return isNamed && facts.revived === 0 && facts.earlier < mostOfHour && facts.mails > 0;
}

type Facts = { earlier: number; number: string; revived: number; mails: number };

/** The declarations of the hour before, the revivals until it was carried out, and the mailers. */
async function factsOf({ account, database, subscriptionId }: World, row: Declaration): Promise<Facts> {
  const [facts] = await rows(
    database,
    raw<Facts>(
      `SELECT (SELECT COUNT(*) FROM declarations WHERE account_seq = ?1 AND email_folded = ?3 AND recorded_at > ?5
          AND (recorded_at, id) < (?4, ?6)) AS earlier,
        (SELECT number FROM subscriptions WHERE account_seq = ?1 AND id = ?2) AS number,
        (SELECT COUNT(*) FROM activity_logs AS back WHERE account_seq = ?1 AND subscription_id = ?2 AND sequence > (
            SELECT sequence FROM activity_logs WHERE account_seq = ?1 AND loggable_id = ?6 AND action = 'declaration_received')
          AND NOT EXISTS (SELECT 1 FROM activity_logs AS done WHERE done.account_seq = ?1 AND done.loggable_id = ?6
            AND done.action = 'declaration_carried_out' AND done.sequence < back.sequence)
          AND (action = 'subscription_reactivated' OR action = 'subscription_change_undone' AND EXISTS (
            SELECT 1 FROM activity_logs AS undone WHERE undone.account_seq = ?1 AND undone.id = back.metadata ->> 'undoes'
              AND undone.action = 'subscription_cancelled'))) AS revived,
        (SELECT COUNT(*) FROM webhook_endpoints WHERE account_seq = ?1 AND kind = 'mail' AND is_enabled = 1) AS mails`,
      ...[account.seq, subscriptionId, row.email_folded, row.recorded_at],
      ...[new Date(Date.parse(row.recorded_at) - hourMs).toISOString(), row.id],
    ),
  );
  return facts!;
}

/** As docs/sell/law.md has it. */
const mostOfHour = 5;
const hourMs = 3_600_000;

function selectDeclarations(seq: number) {
  return raw<Declaration>("SELECT * FROM declarations WHERE account_seq = ? ORDER BY recorded_at, id", seq);
}

/** The entries by which the end of a declaration is over again. */
function selectRevivals(seq: number, id: string, declaration: string) {
  return raw<{ id: string }>(
    `WITH history AS (SELECT * FROM activity_logs WHERE account_seq = ?1 AND subscription_id = ?2),
        its AS (SELECT id, sequence FROM history WHERE metadata ->> 'declaration_id' = ?3 AND action <> 'subscription_change_undone'
          ORDER BY sequence LIMIT 1)
      SELECT history.id FROM history, its WHERE history.sequence > its.sequence
        AND (history.action = 'subscription_reactivated' OR history.action = 'subscription_change_undone'
          AND history.metadata ->> 'undoes' IN (SELECT id FROM history AS ending WHERE ending.sequence >= its.sequence
            AND ending.action IN ('subscription_cancelled', 'cancellation_scheduled')))`,
    ...[seq, id, declaration],
  );
}
