/** Whatever dates orders get, their month's spans hold them, so that no list begins behind one of them. */
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { migrationTexts } from "../../../scripts/migrations.ts";

const database = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
for (const migration of migrationTexts()) database.exec(migration);

const insertion =
  database.prepare(`INSERT INTO orders (id, account_seq, revision, status, fulfillment_status, order_type,
    is_checkout_order, has_subscription, store_order_id, currency_code, subtotal, discount_amount, total, refunded_amount, search_text,
    updated_at, created_at, delivery_date, billing_date, production_date)
  VALUES (?1, 1, 1, 'PAID', 'FULFILLED', 'SUBSCRIPTION', 0, 1, ?1, 'USD', 1, 0, 1, 0, '', '', ?2, ?3, ?4, ?5)`);
const change = database.prepare(
  "UPDATE orders SET created_at = ?2, delivery_date = ?3, billing_date = ?4, production_date = ?5 WHERE id = ?1",
);

/** Orders of which a date lies outside its month's span. */
const outside = ["delivery", "billing", "production"].map(
  (
    date,
  ) => `SELECT id FROM orders LEFT JOIN order_spans AS s ON s.account_seq = 1 AND s.month = substr(created_at, 1, 7)
    WHERE ${date}_date IS NOT NULL AND (julianday(${date}_date) - julianday(substr(created_at, 1, 10)) BETWEEN s.${date}_from AND s.${date}_to) IS NOT 1`,
);

const day = fc.date({ min: new Date("2026-01-01"), max: new Date("2026-04-30"), noInvalidDate: true });
const date = fc.option(day.map((one) => one.toISOString().slice(0, 10)));
const order = fc.tuple(
  fc.constantFrom("a", "b", "c", "d"),
  day.map((one) => one.toISOString()),
  date,
  date,
  date,
);

test("after any orders and changes of their dates each lies within the spans of its month", () => {
  fc.assert(
    fc.property(fc.array(order, { maxLength: 20 }), (orders) => {
      database.exec("DELETE FROM orders; DELETE FROM order_spans");
      for (const [id, ...dates] of orders) {
        const isKnown = database.prepare("SELECT 1 FROM orders WHERE id = ?").get(id) !== undefined;
        (isKnown ? change : insertion).run(id, ...dates);
      }
      for (const query of outside) expect(database.prepare(query).all()).toEqual([]);
    }),
    { seed: Number(process.env.FUZZ_SEED ?? 20261121) },
  );
});

test("an order whose dates lie as far apart as others' of its month writes no span", () => {
  const written = () => Number(database.prepare("SELECT total_changes() AS n").get()?.n);
  database.exec("DELETE FROM orders; DELETE FROM order_spans");
  const rows = ["2026-01-03", "2026-01-09"].map((created, nth) => {
    const before = written();
    const delivery = `2026-01-${String(nth * 6 + 6).padStart(2, "0")}`;
    insertion.run(created, `${created}T08:00:00.000Z`, delivery, created, created);
    return written() - before;
  });
  expect((rows[0] ?? 0) - (rows[1] ?? 0)).toBe(1);
});
