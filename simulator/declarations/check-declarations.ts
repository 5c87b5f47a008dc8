import { raw, read } from "../../src/base/db/statement.ts";
import { emailKey } from "../../src/base/lib/email-address.ts";
import { hourMs } from "../../src/base/lib/time/durations.ts";
import type { Declaration } from "../../src/domain/declarations/tables.ts";
import type { World } from "../kernel/world.ts";
import { mailerOf } from "../notices/mailer.ts";
import type { Confirmed } from "./watch.ts";

type Receipt = { id: string; declaration: string; mails: number; status: string | null };

/** All that was confirmed is there as it was confirmed, once an hour, and each has one acknowledgement. */
export async function checkDeclarations(world: World, confirmed: Confirmed[]): Promise<void> {
  const { account, database, report, restores } = world;
  const [found, receipts, revivals] = await read<[Declaration, Receipt, { created_at: string }]>(database, [
    raw("SELECT * FROM declarations WHERE account_seq = ? ORDER BY recorded_at, id", account.seq),
    raw(
      `SELECT log.id, log.loggable_id AS declaration, mail.status, (SELECT COUNT(*) FROM mails WHERE account_seq = ?1 AND id = log.id) AS mails
        FROM activity_logs AS log LEFT JOIN mails AS mail ON mail.account_seq = log.account_seq AND mail.id = log.id
        WHERE log.account_seq = ?1 AND log.loggable_type = 'declaration' AND log.action = 'declaration_received'`,
      account.seq,
    ),
    raw(
      `SELECT created_at FROM activity_logs WHERE account_seq = ? AND subscription_id = ?
        AND action IN ('subscription_reactivated', 'subscription_change_undone')`,
      ...[account.seq, world.subscriptionId],
    ),
  ]);
  for (const one of confirmed.filter((each) => each.restores === restores)) {
    const its = found.filter((row) => isOf(row, one));
    if (!its.some(({ recorded_at }) => isHeld(Date.parse(recorded_at), one)))
      report("nothing that was confirmed is lost", `${one.form} ${JSON.stringify(one.fields)} is not there`);
  }
  for (const [nth, row] of found.entries()) {
    if (row.next_action_at !== null) report("nothing that was confirmed is lost", "nobody has looked for it");
    const again = found
      .slice(nth + 1)
      .find(
        (other) =>
          isSame(row, other) &&
          isWithinHour(Date.parse(row.recorded_at), Date.parse(other.recorded_at)) &&
          row.status !== "TAKEN_BACK" &&
          !revivals.some(
            ({ created_at }) => created_at >= row.recorded_at && created_at <= other.recorded_at,
          ),
      );
    if (again) report(once, `${row.kind} of ${row.recorded_at} is there again of ${again.recorded_at}`);
    acknowledgedOnce(world, row, { earlier: found.slice(0, nth), receipts });
  }
}

const once = "a declaration is acknowledged once";

function acknowledgedOnce(
  world: World,
  row: Declaration,
  { earlier, receipts }: { earlier: Declaration[]; receipts: Receipt[] },
): void {
  const { report } = world;
  const its = receipts.filter(({ declaration }) => declaration === row.id);
  const [receipt] = its;
  if (its.length !== 1 || receipt?.mails !== 1) {
    report(once, `${its.length} acknowledgements, ${receipt?.mails} mails`);
    return;
  }
  const before = earlier.filter(
    ({ email_folded, recorded_at }) =>
      email_folded === row.email_folded && isWithinHour(Date.parse(recorded_at), Date.parse(row.recorded_at)),
  );
  if ((receipt.status === "SUPPRESSED") !== before.length >= mostOfHour)
    report(once, `after ${before.length} others within an hour its mail is ${receipt.status}`);
  const times = mailerOf(world)?.accepted.get(receipt.id)?.length ?? 0;
  if (receipt.status === "SENT" && times === 0) report(once, "nobody has accepted it");
}

/** As docs/sell/law.md has it. */
const mostOfHour = 5;

function isOf(row: Declaration, { form, fields }: Confirmed): boolean {
  return (
    row.kind === (form === "leave" ? "cancellation" : "withdrawal") &&
    row.email_folded === emailKey(fields.email!) &&
    row.number_folded === (fields.number ?? "").replaceAll(/[# ]/g, "") &&
    row.wants_on === (fields.date ?? null)
  );
}

/** Whether what was received at an instant is what was confirmed: then, or within the hour before. */
function isHeld(at: number, one: Confirmed): boolean {
  return at <= one.at && one.from - at < hourMs;
}

function isSame(row: Declaration, other: Declaration): boolean {
  return (["kind", "email_folded", "number_folded", "wants_on"] as const).every(
    (name) => row[name] === other[name],
  );
}

function isWithinHour(at: number, then: number): boolean {
  return at <= then && then - at < hourMs;
}
