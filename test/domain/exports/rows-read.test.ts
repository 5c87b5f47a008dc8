/** A part of an export reads each of its rows once, whatever the account has besides. */
import { beforeAll, describe, expect, test, vi } from "vitest";
import { exportResources } from "../../../src/domain/exports/resources.ts";
import { attemptOf, logOf, orderOf, profileOf, put, subscriptionOf } from "../../support/records.ts";
import { openShop, type Shop } from "../../support/shops.ts";
import { exported, fetchPart } from "./exporting.ts";

type Line = { event: string; rows_read: number; db_round_trips: number; rows: number };

/** The line of the log about what is done. */
async function lineOf(event: string, act: () => Promise<unknown>): Promise<Line> {
  const lines: string[] = [];
  const spy = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)));
  try {
    await act();
  } finally {
    spy.mockRestore();
  }
  return lines.map((line) => JSON.parse(line)).findLast((line) => line.event === event);
}

/** So many rows of each resource. */
async function fill({ of, profileId }: Shop, count: number): Promise<void> {
  const each = <T>(make: () => T) => Array.from({ length: count }, make);
  await put(
    "profiles",
    each(() => profileOf(of)),
  );
  const subscriptions = each(() => subscriptionOf(of, profileId));
  await put("subscriptions", subscriptions);
  await put(
    "orders",
    each(() => orderOf(of, { profile_id: profileId })),
  );
  await put(
    "billing_attempts",
    subscriptions.map(({ id }) => attemptOf(of, id, 1)),
  );
  await put(
    "activity_logs",
    each(() => logOf(of)),
  );
}

/** How many rows are read for each record: with what is joined to it. One more is read behind the end of the part. */
const readForEach = { profiles: 1, subscriptions: 5, orders: 4, billing_attempts: 1, events: 1 };
/** Ids are counted when the export is made, in their index; numbers and sequences are not. */
const countedForEach = { profiles: 1, subscriptions: 0, orders: 1, billing_attempts: 1, events: 0 };

describe("a part of some hundred rows reads each of them once, whatever the account has besides", () => {
  let shop: Shop;
  let neighbour: Shop;
  beforeAll(async () => {
    [shop, neighbour] = [await openShop(), await openShop()];
    await fill(shop, 300);
    await fill(neighbour, 300);
  });

  test.each(exportResources)("%s", async (resource) => {
    const body = { resource, format: "jsonl" };
    const made = await lineOf("request", () => exported(shop.admin, body));
    const { parts } = await exported(shop.admin, body);
    const { rows_at_most } = parts[0];
    expect(made.rows_read - countedForEach[resource] * rows_at_most).toBeLessThan(20);
    const first = await lineOf("export_part_sent", () => fetchPart(parts[0].url));
    expect(first.rows).toBeGreaterThanOrEqual(300);
    expect(first.rows).toBeLessThanOrEqual(rows_at_most);
    expect(first.db_round_trips).toBeLessThanOrEqual(3);
    expect(first.rows_read).toBe(readForEach[resource] * first.rows + 1);
    await fill(shop, 200);
    const again = await lineOf("export_part_sent", () => fetchPart(parts[0].url));
    expect([again.rows, again.rows_read]).toEqual([first.rows, first.rows_read]);
  });
});
