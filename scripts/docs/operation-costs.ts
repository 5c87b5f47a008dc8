import { kilobytes, toldCosts, writeCosts } from "./figures.ts";
import { table, withPart } from "./part.ts";
import {
  furtherPrices as further,
  machine,
  messages,
  operationsOfMessage,
  prices,
  requestsOfSubscription,
} from "./prices.ts";

/** `cpu` is the milliseconds that one machine takes, with the database in them; `waits` those that an object waits for others. */
type Taken = {
  requests: number;
  read: number;
  written: number;
  messages: number;
  cpu: number;
  waits: number;
  gigabytes: number;
};
type Dollars = { d1: number; object: number; machine: number };

const nothing: Taken = { requests: 0, read: 0, written: 0, messages: 0, cpu: 0, waits: 0, gigabytes: 0 };

/** Rows as the tests of test/scale and `npm run bench` count them; CPU as bench/RESULTS.md has it beside others. The waits are a guess. */
const operations = {
  get: { ...nothing, requests: 1, read: 6, cpu: 2.6 },
  list: { ...nothing, requests: 1, read: 143, cpu: 4 },
  skip: {
    ...nothing,
    requests: 1,
    read: 39,
    written: writeCosts["to skip, with a reason"].rows,
    cpu: 7.5,
  },
  creation: {
    ...nothing,
    requests: 1,
    read: 107,
    written: toldCosts.creation,
    messages: messages.creation,
    cpu: 17,
    waits: 500,
  },
  renewal: {
    ...nothing,
    read: 600,
    written: toldCosts.renewal,
    messages: messages.renewal,
    cpu: 14,
    waits: 2_000,
  },
};

/** A month of a subscription that is charged monthly, after a year. */
const month: Taken = {
  ...operations.renewal,
  requests: requestsOfSubscription,
  read: operations.renewal.read + requestsOfSubscription * operations.get.read,
  cpu: operations.renewal.cpu + requestsOfSubscription * operations.get.cpu,
  gigabytes: (kilobytes.subscription + 12 * kilobytes.renewal) / 1e6,
};

const secondsOfMonth = (365.25 * 86_400) / 12;

/** Beyond what the plan includes. What the Worker of an account with an object takes of CPU outside of it is left out. */
function dollarsOf({ requests, read, written, messages, cpu, waits, gigabytes }: Taken): Dollars {
  const all =
    requests * prices.requests.each +
    read * further.rowRead +
    written * prices.rowsWritten.each +
    messages * operationsOfMessage * prices.queueOperations.each;
  return {
    d1: all + cpu * further.millisecondOfCpu + gigabytes * prices.gigabytes.each,
    object:
      all +
      (requests + messages) * further.callOfObject +
      ((cpu + waits) / 1000) * further.secondOfObject +
      gigabytes * further.gigabyteOfObject,
    machine: ((cpu / 1000) * machine.dollars) / (secondsOfMonth * machine.share),
  };
}

const rows: [string, Taken][] = [
  ["gets of a subscription", operations.get],
  ["lists of 25 subscriptions, with total", operations.list],
  ["skips by the customer", operations.skip],
  ["creations, with contract and mail", operations.creation],
  ["renewals, with reminder, receipt and events", operations.renewal],
  [`months of a monthly subscription, with ${requestsOfSubscription} requests and the data of a year`, month],
];

function operationsText(): string {
  const dollars = (each: number) => `$${(1e6 * each).toFixed(1e6 * each < 20 ? 2 : 0)}`;
  return table(
    ["A million", "`d1`", "`object`", "One machine"],
    rows.map(([name, taken]) => {
      const { d1, object, machine: its } = dollarsOf(taken);
      return [name, dollars(d1), dollars(object), dollars(its)];
    }),
  );
}

/** The page with what a million of each operation costs on each engine and on one machine. */
export function withOperations(text: string): string {
  return withPart(text, "Operations", operationsText());
}
