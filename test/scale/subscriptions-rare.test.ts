/** A filter that matches few of many subscriptions reads few rows. */
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/base/lib/ids.ts";
import { api } from "../support/client.ts";
import { listed, profileOf, put, subscriptionOf, usageOf } from "../support/records.ts";
import { useMerchant } from "../support/use-account.ts";
import { dayOfNumber, instantOf } from "./numbered.ts";

const sizes = [800, 2_400] as const;

const shop = useMerchant();

describe("a filter that matches few of many rows reads few rows", () => {
  const path = "/api/subscriptions";
  const rare: [string, Record<string, string>, number][] = [
    ["failed_payment=true", { failed_payment: "true" }, 5],
    ["failed_payment=true of a status", { failed_payment: "true", status: "ACTIVE" }, 2],
    ["a status", { status: "EXPIRED" }, 4],
    ["several statuses", { status: "EXPIRED,PAYMENT_FAILED" }, 7],
  ];
  const figures: Record<string, number[]> = {};

  beforeAll(async () => {
    const profile = profileOf(shop.of);
    await put("profiles", [profile]);
    const rowOf = (n: number, values: Parameters<typeof subscriptionOf>[2]) =>
      subscriptionOf(shop.of, profile.id, {
        number: 1_000_000 + n,
        created_at: instantOf(n),
        next_billing_date: dayOfNumber(n),
        total: n,
        ...values,
      });
    const few = (
      [
        "EXPIRED",
        "EXPIRED",
        "EXPIRED",
        "EXPIRED",
        "PAYMENT_FAILED",
        "PAYMENT_FAILED",
        "PAYMENT_FAILED",
      ] as const
    ).map((status, n) => rowOf(n, { status }));
    await put("subscriptions", [...few, ...[7, 8].map((n) => rowOf(n, { dunning_episode_id: newId() }))]);
    let from = 10;
    for (const size of sizes) {
      await put(
        "subscriptions",
        Array.from({ length: size - from }, (_, n) => rowOf(from + n, {})),
      );
      from = size;
      for (const [title, query, count] of rare) {
        await listed(shop.admin, path, query);
        const { answer, rows_read } = await usageOf(() => api(shop.admin, "GET", path, { query }));
        expect((answer.body as { meta: { total: number } }).meta.total, title).toBe(count);
        figures[title] = [...(figures[title] ?? []), rows_read];
      }
    }
  });

  test.each(rare)("%s", (title) => {
    const [small, large] = figures[title]!;
    expect(large, `${small} rows read of ${sizes[0]}`).toBeLessThanOrEqual(200);
  });
});
