/** The soak test finds a wrong ledger and a growing memory, and nothing else. */
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { LogFigures } from "../../bench/soak/figures.ts";
import { faultsIn } from "../../bench/soak/ledger.ts";
import { chooseKind, kinds, randomFrom } from "../../bench/soak/load.ts";
import { memoryParts, trendOf } from "../../bench/soak/memory.ts";
import { migrationTexts } from "../../scripts/migrations.ts";

test("the ledger is right where every charge has one successful attempt and one order, and each fault of it is found", () => {
  let database: DatabaseSync | undefined;
  const charge = (key: string, amount = 1000) =>
    database?.exec(`INSERT INTO sandbox_charges (account_seq, idempotency_key, state, amount, currency_code, created_at)
      VALUES (1, '${key}', 'SUCCEEDED', ${amount}, 'USD', '2026')`);
  const attempt = (id: string, status: string, order: string | null = `o-${id}`) =>
    database?.exec(`INSERT INTO billing_attempts (id, account_seq, subscription_id, activation, cycle, attempt_number, origin,
        status, store_key, amount, currency_code, snapshot, claims, unanswered, requested_at, created_at, updated_at, order_id)
      VALUES ('${id}', 1, 's-${id}', 1, 1, 1, 'SHIP_NOW', '${status}', 'key-${id}', 1000, 'USD', '{}', 1, 0, '2026', '2026',
        '2026', ${order === null ? "NULL" : `'${order}'`})`);
  const order = (id: string, attemptId: string | null) =>
    database?.exec(`INSERT INTO orders (id, account_seq, revision, status, fulfillment_status, order_type, is_checkout_order,
        has_subscription, store_order_id, currency_code, subtotal, discount_amount, total, refunded_amount, search_text,
        created_at, updated_at, billing_attempt_id)
      VALUES ('${id}', 1, 1, 'PAID', 'UNFULFILLED', 'SUBSCRIPTION', 0, 1, 'store-${id}', 'USD', 1000, 0, 1000, 0, '', '2026',
        '2026', ${attemptId === null ? "NULL" : `'${attemptId}'`})`);

  const fill = (): void => {
    database?.close();
    database = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
    for (const migration of migrationTexts()) database.exec(migration);
    database.exec("PRAGMA foreign_keys = OFF");
    charge("key-1");
    attempt("1", "SUCCEEDED");
    order("o-1", "1");
  };

  fill();
  expect(faultsIn(database!)).toEqual([]);

  const faults: [fault: string, cause: () => void, found: RegExp[]][] = [
    ["a charge that nobody recorded", () => charge("key-2"), [/charges that were paid without/]],
    [
      "a charge of another amount",
      () => database?.exec("UPDATE sandbox_charges SET amount = 1"),
      [/charges that were paid/],
    ],
    [
      "an attempt without a charge",
      () => database?.exec("DELETE FROM sandbox_charges"),
      [/without exactly one paid charge/],
    ],
    [
      "an attempt without an order",
      () => database?.exec("DELETE FROM orders"),
      [/without exactly one order/],
    ],
    [
      "an order of a failed attempt",
      () => {
        attempt("2", "FAILED");
        order("o-2", "2");
      },
      [/orders of an attempt that did not succeed/],
    ],
    ["an attempt that waits", () => attempt("2", "QUEUED", null), [/nobody has settled/]],
    [
      "a clock on its way",
      () =>
        database?.exec(`INSERT INTO accounts (id, name, shop, timezone, currency_code, created_at, updated_at, clock_target)
          VALUES ('a', 'A', 'a.myshopify.com', 'UTC', 'USD', '2026-01-01T00:00:00.000Z', '2026', '2027')`),
      [/clocks that have not arrived/],
    ],
  ];
  for (const [fault, cause, found] of faults) {
    fill();
    cause();
    const expected = found.map((what) => expect.stringMatching(what));
    expect
      .soft(
        faultsIn(database!).map(({ what }) => what),
        fault,
      )
      .toEqual(expected);
  }
});

describe("the memory", () => {
  const samples = (of: (second: number) => number, seconds = 120) =>
    Array.from({ length: seconds }, (_, second) => ({ seconds: second, megabytes: of(second) }));

  test("that collections free is flat, what grows all the time is not, and a warm-up is no growth", () => {
    const sawtooth = trendOf(samples((second) => 20 + (second % 17)));
    const leak = trendOf(samples((second) => 20 + (second % 17) + 2 * second));
    const warmUp = trendOf(samples((second) => Math.min(60, 20 + second)));
    expect(sawtooth).toEqual({ before: 20, after: 20, allowed: 49 });
    expect(leak?.after).toBeGreaterThan(leak?.allowed ?? Number.POSITIVE_INFINITY);
    expect(warmUp).toEqual({ before: 60, after: 60, allowed: 99 });
  });

  test("is shown in parts of the time, by the least heap and the most memory of the runtime in each", () => {
    const taken = samples((second) => 20 + second, 120).map((sample) => ({
      ...sample,
      resident: 2 * sample.megabytes,
    }));
    expect(memoryParts(taken, 2)).toEqual([
      { minutes: 119 / 120, heap: 20, resident: 158 },
      { minutes: 119 / 60, heap: 80, resident: 278 },
    ]);
    expect(
      memoryParts(
        samples(() => 20),
        1,
      ),
    ).toEqual([{ minutes: 119 / 60, heap: 20, resident: undefined }]);
  });

  test("is not judged after too short a time", () => {
    expect(trendOf(samples(() => 300, 59))).toBeUndefined();
  });
});

test("the log's figures are medians of the requests that succeeded, and sums of the jobs of each type", () => {
  const figures = new LogFigures();
  const request = { event: "request", method: "GET", route: "/a", db_statements: 2 };
  const job = { event: "job", type: "charge", db_round_trips: 2, db_statements: 10 };
  const lines = [
    ...[1, 3, 50].map((ms) => ({ ...request, status: 200, ms, rows_read: ms })),
    { ...request, status: 409, ms: 900, rows_read: 900 },
    { ...job, rows_read: 20, rows_written: 5 },
    { ...job, rows_read: 30, rows_written: 7 },
    { event: "jobs_put_off", jobs: 3 },
  ];
  for (const text of [...lines.map((line) => JSON.stringify(line)), "no JSON"]) figures.add(text);
  expect(figures.medians()).toEqual([{ name: "GET /a", count: 3, ms: 3, db_statements: 2, rows_read: 3 }]);
  expect(figures.jobs()).toEqual([
    { type: "charge", count: 2, db_round_trips: 4, db_statements: 20, rows_read: 50, rows_written: 12 },
  ]);
  expect(figures.others()).toEqual([["jobs_put_off", 1]]);
});

test("a seed decides the requests, and each kind has its share", () => {
  const [random, same, emails] = [randomFrom(7), randomFrom(7), ["ada@example.com"]];
  const drawn = Array.from({ length: 2000 }, () => chooseKind({ random, emails }).name);
  expect(Array.from({ length: 2000 }, () => chooseKind({ random: same, emails }).name)).toEqual(drawn);
  for (const { name, share } of kinds)
    expect(drawn.filter((each) => each === name).length / 20).toBeCloseTo(share, -1);
});
