/** An import warns of values that are probably wrong, and takes them all the same. */
import { expect, test } from "vitest";
import { openShop } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { rowOf, stage, start } from "./imports.ts";

const worker = useWorker();

test("a US postal code of four digits is told, and moved in all the same", async () => {
  const shop = await openShop();
  const address = { address1: "1 Elm", city: "Hoboken", country_code: "US" };
  const at = (postal_code: string, more: object = {}) => ({ ...address, postal_code, ...more });
  const id = await stage(shop, [
    rowOf(shop, "whole", at("07030")),
    rowOf(shop, "short", at("7030")),
    rowOf(shop, "long", at("7030-1234")),
    rowOf(shop, "swiss", at("8001", { country_code: "CH" })),
    rowOf(shop, "ended", at("7030", { status: "CANCELLED" })),
  ]);
  const job = await start(shop, worker, id, true);
  expect(job).toMatchObject({ status: "DONE", done: 5, failed: 0 });
  expect(job.summary.warnings).toEqual([
    {
      path: "postal_code",
      message: "has four digits, and in the US five: a leading zero is probably lost",
      rows: 2,
      first: [
        { part: 1, line: 3, email: "short@example.com" },
        { part: 1, line: 4, email: "long@example.com" },
      ],
    },
  ]);
});

test("a total of more than twenty times the median of the rows with its interval is told", async () => {
  const shop = await openShop();
  const priced = (ref: string, price: number, more: object = {}) =>
    rowOf(shop, ref, { price, quantity: 1, expected_total: "", ...more });
  const monthly = { billing_interval: "MONTH", billing_interval_count: 3 };
  const far = (total: number) => [
    ...[10, 11, 12, 13].map((price) => priced(`week-${price}`, price)),
    ...[100, 300, 500].map((price) => priced(`month-${price}`, price, monthly)),
    ...[1, 2, 3, 4, 5].map((nth) => priced(`gone-${nth}`, 900, { status: "CANCELLED" })),
    ...[priced("faulty", 9000, { email: "" }), priced("far", total)],
  ];
  const { status, summary } = await start(shop, worker, await stage(shop, far(240)), false);
  expect([status, summary.warnings]).toEqual(["READY", undefined]);
  const id = await stage(shop, far(240.01));
  const expected = [
    {
      path: "price",
      message: "makes a total of more than 20 times the median of the rows with its interval",
      rows: 1,
      first: [{ part: 1, line: 15, email: "far@example.com" }],
    },
  ];
  for (const _ of ["checked", "checked again"])
    expect((await start(shop, worker, id, false)).summary.warnings).toEqual(expected);
  expect(await start(shop, worker, id, true)).toMatchObject({
    ...{ status: "DONE", done: 13, failed: 1 },
    summary: { warnings: expected },
  });
});
