import { kilobytes, toldCosts } from "./figures.ts";
import { withOperations } from "./operation-costs.ts";
import { table, withPart } from "./part.ts";
import { messages, operationsOfMessage, prices, requestsOfSubscription } from "./prices.ts";

const plan = 5;
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
  return table(
    ["Subscriptions", "A month, after a year", "More data each month", "10 GB are full after"],
    rows.map(({ subscriptions, rhythm, dollars, monthly, fullAfter }) => [
      `${subscriptions.toLocaleString("en")} ${rhythm}`,
      `$${Math.round(dollars)}`,
      `${monthly.toFixed(2)} GB`,
      fullAfter,
    ]),
  );
}

/** The page with the costs of a month and of each operation, and when a database is full, as they follow from the figures. */
export function withCosts(text: string): string {
  return withOperations(withPart(text, "Costs", costsText()));
}
