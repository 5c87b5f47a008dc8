import { kilobytes, toldCosts } from "./figures.ts";
import { table, withPart } from "./part.ts";

/** The messages of a renewal: those of its jobs and of its events together. */
const messages = { creation: 2, renewal: 8 };

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
  const renewals = subscriptions * perMonth;
  const monthly = (renewals * kilobytes.renewal) / 1e6;
  const used = {
    rowsWritten: renewals * toldCosts.renewal,
    queueOperations: renewals * messages.renewal * operationsOfMessage,
    requests: subscriptions * requestsOfSubscription,
    gigabytes: Math.min(fullGigabytes, (subscriptions * kilobytes.subscription) / 1e6 + 12 * monthly),
  };
  const dollars = Object.entries(prices).reduce(
    (sum, [name, { each, free }]) => sum + Math.max(0, used[name as keyof typeof used] - free) * each,
    plan,
  );
  const months =
    (fullGigabytes * 1e6 - subscriptions * kilobytes.subscription) / (renewals * kilobytes.renewal);
  const fullAfter = months > 24 ? `${Math.round(months / 12)} years` : `${Math.round(months)} months`;
  return { subscriptions, rhythm, dollars, monthly, fullAfter };
}

const rhythms: [string, number][] = [
  ["monthly", 1],
  ["weekly", weeksOfMonth],
];

function costsText(): string {
  const counts = [1_000, 10_000, 100_000];
  const rows = counts.flatMap((count) => rhythms.map((rhythm) => rowOf(count, rhythm)));
  const months = table(
    ["Subscriptions", "A month, after a year", "More data each month", "10 GB are full after"],
    rows.map(({ subscriptions, rhythm, dollars, monthly, fullAfter }) => [
      `${subscriptions.toLocaleString("en")} ${rhythm}`,
      `$${Math.round(dollars)}`,
      `${monthly.toFixed(2)} GB`,
      fullAfter,
    ]),
  );
  const million = (rowsWritten: number, sent: number) =>
    Math.round(
      1e6 *
        (rowsWritten * prices.rowsWritten.each + sent * operationsOfMessage * prices.queueOperations.each),
    );
  return `${months}

Beyond what the plan includes, a million creations cost $${million(toldCosts.creation, messages.creation)} and a million renewals $${million(toldCosts.renewal, messages.renewal)}, nearly all of it for rows
written. A million requests cost $0.30 and a cent or two of CPU and rows read.`;
}

/** The page with the costs of a month, and when a database is full, as they follow from the figures. */
export function withCosts(text: string): string {
  return withPart(text, "Costs", costsText());
}
