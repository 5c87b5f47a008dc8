import { dayMs } from "../../src/base/lib/time/durations.ts";

/** Calls a tool and returns its data. */
export type Call = (tool: string, values: Record<string, unknown>) => Promise<Data>;
// biome-ignore lint/suspicious/noExplicitAny: what a tool answers, read as a model reads it
type Data = any;

export type Question = { question: string; play: (call: Call, today: string) => Promise<string> };

function daysFrom(today: string, days: number): string {
  return new Date(Date.parse(today) + days * dayMs).toISOString().slice(0, 10);
}

/** The questions that merchants ask, and the calls that lead a model to the answer in the demo store. */
export const questions: Question[] = [
  {
    question: "How many subscriptions are active, and how many are paused?",
    play: async (call) => {
      const active = await call("listSubscriptions", { status: "ACTIVE", limit: 1 });
      const paused = await call("listSubscriptions", { status: "PAUSED", limit: 1 });
      return `${active.meta.total} active, ${paused.meta.total} paused`;
    },
  },
  {
    question: "Whose payment has failed, and why did the latest one fail?",
    play: async (call) => {
      const { data, meta } = await call("listSubscriptions", { failed_payment: true });
      const attempts = await call("listBillingAttempts", { id: data[0].id, limit: 1 });
      return `${meta.total} customers; ${data[0].profile.full_name}: ${attempts.data[0]?.error_code ?? "not tried yet"}`;
    },
  },
  {
    question: "When does subscription 1026 come next, and what will it cost?",
    play: async (call) => {
      const { id } = await subscription(call, "1026");
      const { data } = await call("listUpcomingDeliveries", { id, count: 3 });
      return data.map((one: Data) => `${one.delivery_date}: ${one.total} ${one.currency_code}`).join(", ");
    },
  },
  {
    question: "Which deliveries are due in the next three weeks?",
    play: async (call, today) => {
      const range = { next_delivery_after: daysFrom(today, -1), next_delivery_before: daysFrom(today, 22) };
      const { data, meta } = await call("listSubscriptions", { status: "ACTIVE", ...range });
      return `${meta.total}, the first ${data.length} of them listed`;
    },
  },
  {
    question: "Pause subscription 1026 for four weeks: what would change?",
    play: async (call, today) => {
      const { id } = await subscription(call, "1026");
      const { data } = await call("pauseSubscription", {
        id,
        pause_until: daysFrom(today, 28),
        dry_run: true,
      });
      return `it would be ${data.status}`;
    },
  },
  {
    question: "Skip the next delivery of 1026, the customer is on holiday: what are the new dates?",
    play: async (call) => {
      const { id } = await subscription(call, "1026");
      const reasons = await call("listSkipReasons", {});
      const reason = reasons.data.find(({ label }: Data) => /holiday/i.test(label));
      const { data } = await call("skipSubscription", {
        id,
        skip_weeks: 2,
        skip_reason_id: reason.id,
        dry_run: true,
      });
      return `delivery on ${data.next_delivery_date}`;
    },
  },
  {
    question: "Where are the orders of the customer of 1026?",
    play: async (call) => {
      const { profile } = await subscription(call, "1026");
      const { data } = await call("listOrders", { search: profile.email });
      const order = (await call("getOrder", { id: data[0].id })).data;
      return `${data.length} orders; the latest is ${order.fulfillment_status}, ${order.tracking_number ?? "not sent"}`;
    },
  },
  {
    question: "Who changed subscription 1026 in the last year?",
    play: async (call, today) => {
      const { id } = await subscription(call, "1026");
      const range = { start_date: daysFrom(today, -365), end_date: today };
      const { data } = await call("listActivityLogs", { subscription_id: id, ...range });
      return `${data.length} entries, by ${[...new Set(data.map((one: Data) => one.actor_name ?? one.actor_type))].join(", ")}`;
    },
  },
  {
    question: "Summarise a customer: who, what, since when, what happened?",
    play: async (call) => {
      const { profile } = await subscription(call, "1026");
      const found = await call("listProfiles", { search: profile.email });
      const { id } = found.data[0];
      const { data } = await call("getProfile", { id });
      const owned = await call("listSubscriptions", { profile_id: id });
      const orders = await call("listOrders", { profile_id: id });
      const activity = await call("listProfileActivity", { id });
      return `${data.full_name}: ${owned.meta.total} subscriptions, ${orders.meta.total} orders, ${activity.meta.total} entries`;
    },
  },
  {
    question: "Which charges failed in the last 30 days, and for what reasons?",
    play: async (call, today) => {
      const { data, meta } = await call("listAllBillingAttempts", {
        status: "FAILED",
        from: daysFrom(today, -30),
      });
      return `${meta.total}: ${[...new Set(data.map((one: Data) => one.error_code))].join(", ")}`;
    },
  },
];

/** People say numbers; tools take ids. */
async function subscription(call: Call, number: string): Promise<Data> {
  const { data } = await call("listSubscriptions", { search: number });
  return data.find((one: Data) => one.number === number);
}
