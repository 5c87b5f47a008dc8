import { raw, read } from "../../src/base/db/statement.ts";
import { dayMs } from "../../src/base/lib/time/durations.ts";
import type { OrderDispute } from "../../src/domain/orders/tables.ts";
import type { Subscription } from "../../src/domain/subscriptions/tables.ts";
import type { Dispute } from "../../test/support/fake-stripe.ts";
import type { World } from "../kernel/world.ts";
import type { OpenStripe } from "../stores/stripe/opened.ts";

type Entry = { metadata: string };
type Order = { id: string; store_order_id: string | null };

/** Disputes, their history, what they block and the store must agree, whatever webhooks were lost, came late or twice. */
export async function checkDisputes(world: World, { disputes }: OpenStripe): Promise<void> {
  const { account, database, report } = world;
  const [rows, subscriptions, orders, entries] = await read<
    [OrderDispute, Pick<Subscription, "id" | "disputed_at">, Order, Entry]
  >(database, [
    raw("SELECT * FROM order_disputes WHERE account_seq = ?", account.seq),
    raw("SELECT id, disputed_at FROM subscriptions WHERE account_seq = ?", account.seq),
    raw("SELECT id, store_order_id FROM orders WHERE account_seq = ?", account.seq),
    raw(
      "SELECT metadata FROM activity_logs WHERE account_seq = ? AND action = 'order_disputed' ORDER BY sequence",
      account.seq,
    ),
  ]);
  const told = entries.map(({ metadata }) => JSON.parse(metadata));
  for (const dispute of disputes.entries) {
    const order = orders.find(({ store_order_id }) => store_order_id === dispute.payment_intent);
    const its = rows.filter(({ store_dispute_id }) => store_dispute_id === dispute.id);
    checkKnown(world, dispute, { order, its, changedAt: disputes.changedAt(dispute.id) });
    const states = told
      .filter(({ store_dispute_id }) => store_dispute_id === dispute.id)
      .map(({ dispute_status, is_inquiry }) => `${dispute_status}${is_inquiry ? " of an inquiry" : ""}`);
    for (const [nth, state] of states.entries())
      if (state === states[nth - 1]) report(known, `${dispute.id} is told twice to be ${state}`);
    if (its[0] && states.at(-1) !== `${its[0].status}${its[0].is_inquiry ? " of an inquiry" : ""}`)
      report(known, `${dispute.id} is ${its[0].status}, and told to be ${states.at(-1)}`);
  }
  for (const { id, disputed_at } of subscriptions) {
    const its = rows.filter(({ subscription_id }) => subscription_id === id);
    const standing = its.filter(({ status }) => standsInTheWay.includes(status));
    if (disputed_at !== null && standing.length === 0)
      report(goesOn, `${id} is blocked, and its disputes are ${its.map(({ status }) => status)}`);
    if ((disputed_at !== null) !== its.some(({ is_blocking }) => is_blocking === 1))
      report(goesOn, `${id} is blocked since ${disputed_at}, and its disputes say something else`);
  }
}

const known = "what a dispute has come to is known in the end";
const goesOn = "billing goes on once a dispute was won";

const standsInTheWay: string[] = ["NEEDS_RESPONSE", "UNDER_REVIEW", "LOST"];

type Recorded = { order: Order | undefined; its: OrderDispute[]; changedAt: number };

/** One of a charge that a restore has undone, and that people are told of, waits for its order. */
function checkKnown(
  { report, clock }: World,
  { id, status }: Dispute,
  { order, its, changedAt }: Recorded,
): void {
  if (its.length > 1) report(known, `${id} is recorded ${its.length} times`);
  if (!order || clock - changedAt < nightsMs) return;
  const inquiry = status.startsWith("warning_");
  const state = status.replace("warning_", "").toUpperCase();
  const [row] = its;
  if (row?.status !== state || (row.is_inquiry === 1) !== inquiry)
    report(known, `${id} is ${status}, and known as ${row?.status}`);
}

/** Two nightly looks find what webhooks have not told. */
const nightsMs = 2.1 * dayMs;
