import { raw, read } from "../../src/base/db/statement.ts";
import { dayMs } from "../../src/base/lib/time/durations.ts";
import type { OfferKind } from "../../src/domain/cancellation/tables.ts";
import type { World } from "../kernel/world.ts";

/** How long an accepted offer keeps others away, in days. */
export const cooldownDays = 3;

type Case = {
  id: string;
  status: string;
  accepted_kind: OfferKind | null;
  accepted_at: string | null;
  discount_id: string | null;
  outcome: string | null;
  cost: number;
  revenue_after: number;
};
type Entry = { action: string; metadata: string | null };

const effects: Record<OfferKind, string> = {
  PAUSE: "subscription_paused",
  SKIP: "subscription_skipped",
  DISCOUNT: "discount_applied",
  FREQUENCY: "frequency_changed",
  SWAP: "lines_changed",
};

/** The cases and the history of the schedule's subscription must agree, however its requests crashed, came twice or came at once. */
export async function checkLeaving(world: World): Promise<void> {
  const { account, database, subscriptionId } = world;
  const [cases, entries, discounts, days] = await read<[Case, Entry, { discounts: string }, Day]>(database, [
    raw(
      "SELECT * FROM cancellation_cases WHERE account_seq = ? AND subscription_id = ? ORDER BY accepted_at",
      account.seq,
      subscriptionId,
    ),
    raw(
      "SELECT action, metadata FROM activity_logs WHERE account_seq = ? AND loggable_type = 'subscription' AND loggable_id = ? ORDER BY sequence",
      account.seq,
      subscriptionId,
    ),
    raw("SELECT discounts FROM subscriptions WHERE account_seq = ? AND id = ?", account.seq, subscriptionId),
    raw("SELECT * FROM retention_days WHERE account_seq = ? AND grouping = 'offer'", account.seq),
  ]);
  const accepted = cases.filter(({ status }) => status === "ACCEPTED");
  hasItsAcceptance(world, { accepted, entries, stored: discounts[0]?.discounts ?? "[]" });
  oneWithinCooldown(world, accepted);
  outcomesAreTold(world, { accepted, entries });
  countersAgree(world, { accepted, days });
}

/** The entry of an acceptance stands right behind that of its effect, one for each accepted case; a discount of an offer has its case. */
function hasItsAcceptance(
  { report }: World,
  { accepted, entries, stored }: { accepted: Case[]; entries: Entry[]; stored: string },
): void {
  const told = entries.flatMap(({ action, metadata }, at) =>
    action === "cancellation_offer_accepted" ? [{ at, ...JSON.parse(metadata ?? "{}") }] : [],
  );
  if (told.length !== accepted.length)
    report(effectRule, `${accepted.length} cases are accepted, ${told.length} acceptances are told`);
  for (const { at, cancellation_case_id: id, offer } of told) {
    const ofCase = accepted.find((each) => each.id === id);
    const effect = entries[at - 1]?.action;
    if (ofCase?.accepted_kind !== offer.kind || effect !== effects[offer.kind as OfferKind])
      report(effectRule, `${offer.kind} of case ${ofCase?.accepted_kind} follows ${effect}`);
  }
  const given: { id: string; title: string }[] = JSON.parse(stored);
  for (const { id } of given.filter(({ title }) => title === "Stay"))
    if (!accepted.some(({ discount_id }) => discount_id === id))
      report(effectRule, "a discount that was offered has no case");
}

const effectRule = "an offer's effect has its acceptance";

function oneWithinCooldown({ report }: World, accepted: Case[]): void {
  for (const [index, { accepted_at }] of accepted.entries()) {
    const before = accepted[index - 1]?.accepted_at;
    if (!before || !accepted_at) continue;
    const passed = Date.parse(accepted_at) - Date.parse(before);
    if (passed < cooldownDays * dayMs)
      report("one offer within the cooldown", `two were accepted within ${passed / dayMs} days`);
  }
}

function outcomesAreTold(
  { report }: World,
  { accepted, entries }: { accepted: Case[]; entries: Entry[] },
): void {
  for (const [action, outcome] of [
    ["cancellation_saved", "SAVED"],
    ["cancellation_lost", "LOST"],
  ] as const) {
    const told = entries.filter((entry) => entry.action === action).length;
    const stored = accepted.filter((each) => each.outcome === outcome).length;
    if (told !== stored) report("outcomes of offers are told", `${stored} are ${outcome}, ${told} are told`);
  }
}

type Day = Record<"accepted" | "saved" | "lost" | "cost" | "revenue_after", number>;

/** The counters of each day add up to the cases. */
function countersAgree({ report }: World, { accepted, days }: { accepted: Case[]; days: Day[] }): void {
  const of = (outcome: string) => accepted.filter((each) => each.outcome === outcome).length;
  const sum = (values: number[]) => values.reduce((whole, value) => whole + value, 0);
  const expected: Day = {
    accepted: accepted.length,
    saved: of("SAVED"),
    lost: of("LOST"),
    cost: sum(accepted.map(({ cost }) => cost)),
    revenue_after: sum(accepted.map(({ revenue_after }) => revenue_after)),
  };
  for (const name of Object.keys(expected) as (keyof Day)[]) {
    const counted = sum(days.map((day) => day[name]));
    if (counted !== expected[name])
      report("retention is counted as it was", `${name} is counted as ${counted}, not ${expected[name]}`);
  }
}
