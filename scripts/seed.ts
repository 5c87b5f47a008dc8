// Seeds the demo store into the local database, once. With --profiles, --subscriptions or --orders it makes that many
// more, for benchmarks of any size. The demo key is public, so no other database gets it.
import { parseArgs } from "node:util";
import { commit } from "../src/db/commit.ts";
import { raw, rows } from "../src/db/statement.ts";
import { demoId } from "../src/demo.ts";
import { seed } from "./seed/index.ts";
import { type Amounts, recordBatches } from "./seed/records.ts";
import { openLocal } from "./storage/local.ts";

const { values } = parseArgs({
  options: { profiles: { type: "string" }, subscriptions: { type: "string" }, orders: { type: "string" } },
});

const amountOf = (text: string | undefined, fallback: number): number => {
  const amount = text === undefined ? fallback : Number(text);
  if (Number.isSafeInteger(amount) && amount >= 0) return amount;
  console.error(`${text} is no number of records`);
  process.exit(2);
};

const db = openLocal();
const now = new Date();
const seeded = await seed(db, now);
console.log(seeded.length > 0 ? `Seeded: ${seeded.join(", ")}` : "The demo store is seeded already");

if (Object.keys(values).length > 0) {
  const started = Date.now();
  const profiles = Math.max(1, amountOf(values.profiles, 1000));
  const subscriptions = Math.max(1, amountOf(values.subscriptions, profiles));
  const amounts: Amounts = { profiles, subscriptions, orders: amountOf(values.orders, subscriptions * 5) };
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
  for (const batch of recordBatches({ amounts, after, nextNumber: number + 1 }, now))
    await commit({ db }, batch);
  console.log(`Added ${JSON.stringify(amounts)} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
