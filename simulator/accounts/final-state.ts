import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { AccountSeq } from "../../src/base/db/columns.ts";
import { build, type Params, prepare, read, subSelect } from "../../src/base/db/statement.ts";
import { attemptColumns } from "../../src/domain/billing/charge-content.ts";
import { billingAttempts } from "../../src/domain/billing/tables.ts";
import {
  type DeliveryDay,
  deliveryCounts,
  deliveryDays,
  deliverySlots,
} from "../../src/domain/delivery/tables.ts";
import { customerNotices, dunningEpisodes } from "../../src/domain/dunning/tables.ts";
import { contentColumns, held, isHeld } from "../../src/domain/orders/held-content.ts";
import { orderSubscriptions, orders } from "../../src/domain/orders/tables.ts";
import { paymentMethods } from "../../src/domain/payment-methods/tables.ts";
import { sellingPlans } from "../../src/domain/selling-plans/tables.ts";
import { contractSyncs, subscriptions } from "../../src/domain/subscriptions/tables.ts";
import { activityLogs } from "../../src/kit/journal/tables.ts";
import type { World } from "../kernel/world.ts";
import type { SlotDay } from "./calendar.ts";

/** The rows of the database and the records of the store that an account has after a schedule. */
export type FinalState = Awaited<ReturnType<typeof readFinalState>>;

export function finalStateOf(world: World): Promise<FinalState> {
  const known = states.get(world);
  if (known?.commits === world.commits) return known.state;
  const state = readFinalState(world);
  states.set(world, { commits: world.commits, state });
  return state;
}

/** Every part that checks an account asks for the same rows. */
const states = new WeakMap<World, { commits: number; state: Promise<FinalState> }>();

async function readFinalState({ database, account, store }: World) {
  const of = { account_seq: account.seq };
  const [plans, subscriptions, attempts, orders, episodes, entries, methods, syncs, notices, slots, places] =
    await read(database, [
      queries.plans(of),
      queries.subscriptions(of),
      queries.attempts(of),
      queries.orders(of),
      queries.episodes(of),
      queries.entries(of),
      queries.methods(of),
      queries.syncs(of),
      queries.notices(of),
      queries.slots(of),
      queries.places(of),
    ]);
  return {
    plans,
    subscriptions,
    attempts,
    orders,
    episodes,
    /** The history of the subscriptions, in the order in which it was written. */
    entries: entries.filter(({ loggable_type }) => loggable_type === "subscription"),
    orderEntries: entries.filter(({ loggable_type }) => loggable_type === "order"),
    /** The store's ids of payment methods, by ours. */
    cards: new Map<string | null, string>(
      methods.map(({ id, store_payment_method_id }) => [id, store_payment_method_id]),
    ),
    /** The outbox of the contracts. */
    syncs,
    /** The days of the slots, by the slot. */
    slots: new Map<string | null, SlotDay>(slots.map(({ id, ...day }) => [id, slotDayOf(day)])),
    /** How many deliveries are counted for each day of a slot. */
    places,
    notices,
    charges: store.entries,
  };
}

function slotDayOf(
  day: Pick<DeliveryDay, "day_of_week" | "packing_day_of_week" | "courier_lead_time_days">,
): SlotDay {
  return {
    weekday: day.day_of_week,
    packingWeekday: day.packing_day_of_week,
    leadDays: day.courier_lead_time_days ?? 0,
  };
}

type OfAccount = Params<{ account_seq: AccountSeq }>;

const queries = {
  plans: prepare((p: OfAccount) =>
    build
      .select()
      .from(sellingPlans)
      .where(eq(sellingPlans.account_seq, p("account_seq"))),
  ),
  subscriptions: prepare((p: OfAccount) =>
    build
      .select({ ...getTableColumns(subscriptions), due_on: sql<string | null>`due_on`.as("due_on") })
      .from(subscriptions)
      .where(eq(subscriptions.account_seq, p("account_seq"))),
  ),
  attempts: prepare((p: OfAccount) =>
    build
      .select(attemptColumns(billingAttempts))
      .from(billingAttempts)
      .where(eq(billingAttempts.account_seq, p("account_seq")))
      .orderBy(billingAttempts.created_at, billingAttempts.id),
  ),
  orders: prepare((p: OfAccount) =>
    build
      .select({
        ...getTableColumns(orders),
        lines: subSelect(contentColumns.lines, "lines"),
        delivery_address: subSelect(contentColumns.delivery_address, "delivery_address"),
        delivery_instructions: subSelect(contentColumns.delivery_instructions, "delivery_instructions"),
        subscription_id: orderSubscriptions.subscription_id,
      })
      .from(orders)
      .innerJoin(
        orderSubscriptions,
        and(
          eq(orderSubscriptions.account_seq, orders.account_seq),
          eq(orderSubscriptions.order_id, orders.id),
        ),
      )
      .leftJoin(held, isHeld)
      .where(eq(orders.account_seq, p("account_seq"))),
  ),
  episodes: prepare((p: OfAccount) =>
    build
      .select()
      .from(dunningEpisodes)
      .where(eq(dunningEpisodes.account_seq, p("account_seq")))
      .orderBy(dunningEpisodes.opened_at, dunningEpisodes.id),
  ),
  entries: prepare((p: OfAccount) =>
    build
      .select()
      .from(activityLogs)
      .where(eq(activityLogs.account_seq, p("account_seq")))
      .orderBy(activityLogs.sequence),
  ),
  methods: prepare((p: OfAccount) =>
    build
      .select()
      .from(paymentMethods)
      .where(eq(paymentMethods.account_seq, p("account_seq"))),
  ),
  slots: prepare((p: OfAccount) =>
    build
      .select({
        id: deliverySlots.id,
        day_of_week: deliveryDays.day_of_week,
        packing_day_of_week: deliveryDays.packing_day_of_week,
        courier_lead_time_days: deliveryDays.courier_lead_time_days,
      })
      .from(deliverySlots)
      .innerJoin(
        deliveryDays,
        and(
          eq(deliveryDays.account_seq, deliverySlots.account_seq),
          eq(deliveryDays.id, deliverySlots.delivery_day_id),
        ),
      )
      .where(eq(deliverySlots.account_seq, p("account_seq"))),
  ),
  places: prepare((p: OfAccount) =>
    build
      .select()
      .from(deliveryCounts)
      .where(eq(deliveryCounts.account_seq, p("account_seq"))),
  ),
  syncs: prepare((p: OfAccount) =>
    build
      .select()
      .from(contractSyncs)
      .where(eq(contractSyncs.account_seq, p("account_seq"))),
  ),
  notices: prepare((p: OfAccount) =>
    build
      .select()
      .from(customerNotices)
      .where(eq(customerNotices.account_seq, p("account_seq"))),
  ),
};
