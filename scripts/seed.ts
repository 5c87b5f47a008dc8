// Seeds the demo store into the local database, once. With --profiles, --subscriptions or --orders it makes that many
// more, for benchmarks of any size. The demo key is public, so no other database gets it.
import { commandLine, wholeNumber } from "./command-line.ts";
import { progressOf } from "./progress.ts";
import type { Amounts, Extent } from "./seed/extent.ts";

const { values } = commandLine({
  usage: `Usage: npm run seed [-- --profiles 10000] [--subscriptions 10000] [--orders 50000]

Seeds the demo store into the local database, once. With an option it adds that many records to it: in a copy of the database that
then takes its place, or, many times slower, record by record while the local server has the database open.

  --profiles       how many customers to add; 1,000 by default
  --subscriptions  how many subscriptions; as many as customers by default
  --orders         how many orders; five a subscription by default`,
  options: { profiles: { type: "string" }, subscriptions: { type: "string" }, orders: { type: "string" } },
});

function amountOf(option: keyof Amounts, fallback: number): number {
  const text = values[option];
  return text === undefined ? fallback : wholeNumber(option, text);
}
const profiles = Math.max(1, amountOf("profiles", 1000));
const subscriptions = Math.max(1, amountOf("subscriptions", profiles));
const amounts: Amounts = { profiles, subscriptions, orders: amountOf("orders", subscriptions * 5) };

// The rest is loaded once the arguments are known to be right.
const { commit } = await import("../src/base/db/commit.ts");
const { raw, rows } = await import("../src/base/db/statement.ts");
const { demoAccountSeq } = await import("./seed/account.ts");
const { loadInBulk } = await import("./seed/bulk.ts");
const { seed } = await import("./seed/index.ts");
const { batchesOf, recordBatches } = await import("./seed/records.ts");
const { fillCopy } = await import("./storage/exclusive-copy.ts");
const { localFile, openLocal } = await import("./storage/local.ts");

const now = new Date();
const db = openLocal();
const seeded = await seed(db, now);
console.log(seeded.length > 0 ? `Seeded: ${seeded.join(", ")}` : "The demo store is seeded already");
if (Object.keys(values).length > 0) await add();

async function add(): Promise<void> {
  const started = Date.now();
  const extent = await nextExtent();
  db.close();
  const isFilled = await fillCopy(localFile(), (copy) => loadInBulk(copy, extent, now), console.log);
  if (!isFilled) {
    console.log("Somebody has the database open, so the records are added one by one");
    await addOneByOne(extent);
  }
  console.log(`Added ${JSON.stringify(amounts)} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

async function addOneByOne(extent: Extent): Promise<void> {
  const progress = progressOf("Seeding", batchesOf(amounts));
  const reopened = openLocal();
  for (const batch of recordBatches(extent, now)) {
    await commit({ db: reopened }, batch);
    progress.advance();
  }
  progress.end();
}

/** The records to add, numbered after those that there are. */
async function nextExtent(): Promise<Extent> {
  const [known] = await rows(
    db,
    // One statement for four counts, which drizzle has no `SELECT` without a table for.
    raw<Amounts & { number: number }>(
      `SELECT (SELECT COUNT(*) FROM profiles) AS profiles, (SELECT COUNT(*) FROM subscriptions) AS subscriptions,
      (SELECT COUNT(*) FROM orders) AS orders,
      (SELECT COALESCE(MAX(number), 1000) FROM subscriptions WHERE account_seq = ?) AS number`,
      demoAccountSeq,
    ),
  );
  if (!known) throw new Error("The database did not answer");
  const { number, ...after } = known;
  return { amounts, after, nextNumber: number + 1 };
}
