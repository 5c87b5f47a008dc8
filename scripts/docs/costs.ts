import { withPart } from "./part.ts";

/** Measured, and held by tests: test/scale/told-costs, renewals, bytes. Messages are those of jobs and of events together. */
export const measured = {
  renewal: { rows: 110, kib: 4.9, messages: 8 },
  creation: { rows: 45, kib: 8 },
};

/** The prices of Cloudflare's paid plan in dollars, as its pages had them in November 2026; `free` is included in its five dollars a month. */
const prices = {
  rowsWritten: { each: 1 / 1e6, free: 50e6 },
  queueOperations: { each: 0.4 / 1e6, free: 1e6 },
  requests: { each: 0.3 / 1e6, free: 10e6 },
  gigabytes: { each: 0.75, free: 5 },
};
const plan = 5;
/** A message is written, read and deleted. */
const operationsOfMessage = 3;

/** Judgement: the portal, the merchant's servers and webhooks together. */
const requestsOfSubscription = 10;
const fullGigabytes = 10;
const weeksOfMonth = 52 / 12;

type Row = { subscriptions: number; rhythm: string; dollars: number; monthly: number; fullAfter: string };

function rowOf(subscriptions: number, [rhythm, perMonth]: [string, number]): Row {
  const { renewal, creation } = measured;
  const renewals = subscriptions * perMonth;
  const monthly = (renewals * renewal.kib) / 1e6;
  const used = {
    rowsWritten: renewals * renewal.rows,
    queueOperations: renewals * renewal.messages * operationsOfMessage,
    requests: subscriptions * requestsOfSubscription,
    gigabytes: Math.min(fullGigabytes, (subscriptions * creation.kib) / 1e6 + 12 * monthly),
  };
  const dollars = Object.entries(prices).reduce(
    (sum, [name, { each, free }]) => sum + Math.max(0, used[name as keyof typeof used] - free) * each,
    plan,
  );
  const months = (fullGigabytes * 1e6 - subscriptions * creation.kib) / (renewals * renewal.kib);
  const fullAfter = months > 24 ? `${Math.round(months / 12)} years` : `${Math.round(months)} months`;
  return { subscriptions, rhythm, dollars, monthly, fullAfter };
}

const rhythms: [string, number][] = [
  ["monthly", 1],
  ["weekly", weeksOfMonth],
];

function tableText(): string {
  const rows = [1_000, 10_000, 100_000].flatMap((count) => rhythms.map((rhythm) => rowOf(count, rhythm)));
  const lines = rows.map(
    ({ subscriptions, rhythm, dollars, monthly, fullAfter }) =>
      `- ${subscriptions.toLocaleString("en")} ${rhythm} ones: **$${Math.round(dollars)}** a month after a year, ${monthly.toFixed(2)} GB more each month, full after ${fullAfter}`,
  );
  const { renewal, creation } = measured;
  const million = (rows: number, messages: number) =>
    (rows * prices.rowsWritten.each + messages * operationsOfMessage * prices.queueOperations.each) * 1e6;
  return `${lines.join("\n")}

Beyond what the plan includes, a million creations cost $${Math.round(million(creation.rows, 2))} and a million renewals $${Math.round(million(renewal.rows, renewal.messages))}, nearly all of it for rows
that are written, on D1 as in an object. A million requests cost $0.30 and a cent or two of CPU and rows read.
`;
}

/** docs/scale.md with the costs of a month, and when a database is full, as they follow from the figures. */
export function withCosts(text: string): string {
  return withPart(text, "Costs", tableText());
}
