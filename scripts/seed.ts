// Seeds the demo store into the local database, once. With --profiles, --subscriptions or --orders it makes that many
// more, for benchmarks of any size. The demo key is public, so no other database gets it.
import { commit } from "../src/db/commit.ts";
import { raw, rows } from "../src/db/statement.ts";
import { demoId } from "../src/demo.ts";
import { commandLine, wholeNumber } from "./command-line.ts";
import { progressOf } from "./progress.ts";
import { seed } from "./seed/index.ts";
import { type Amounts, batchesOf, recordBatches } from "./seed/records.ts";
import { openLocal } from "./storage/local.ts";

const { values } = commandLine({
  usage: `Usage: npm run seed [-- --profiles 10000] [--subscriptions 10000] [--orders 50000]

Seeds the demo store into the local database, once. With an option it adds that many records to it.

  --profiles       how many customers to add; 1,000 by default
  --subscriptions  how many subscriptions; as many as customers by default
  --orders         how many orders; five a subscription by default`,
  options: { profiles: { type: "string" }, subscriptions: { type: "string" }, orders: { type: "string" } },
});

const amountOf = (option: keyof Amounts, fallback: number): number => {
  const text = values[option];
  return text === undefined ? fallback : wholeNumber(option, text);
};
const profiles = Math.max(1, amountOf("profiles", 1000));
const subscriptions = Math.max(1, amountOf("subscriptions", profiles));
const amounts: Amounts = { profiles, subscriptions, orders: amountOf("orders", subscriptions * 5) };

const db = openLocal();
const now = new Date();
const seeded = await seed(db, now);
console.log(seeded.length > 0 ? `Seeded: ${seeded.join(", ")}` : "The demo store is seeded already");

if (Object.keys(values).length > 0) {
  const started = Date.now();
  const [known] = await rows(
    db,
    // One statement for four counts, which drizzle has no `SELECT` without a table for.
    raw<Amounts & { number: number }>(
      `SELECT (SELECT COUNT(*) FROM profiles) AS profiles, (SELECT COUNT(*) FROM subscriptions) AS subscriptions,
      (SELECT COUNT(*) FROM orders) AS orders,
      (SELECT COALESCE(MAX(number), 1000) FROM subscriptions WHERE account_id = ?) AS number`,
      demoId("account", 1),
    ),
  );
  if (!known) throw new Error("The database did not answer");
  const { number, ...after } = known;
  const progress = progressOf("Seeding", batchesOf(amounts));
  for (const batch of recordBatches({ amounts, after, nextNumber: number + 1 }, now)) {
    await commit({ db }, batch);
    progress.advance();
  }
  progress.end();
  console.log(`Added ${JSON.stringify(amounts)} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
