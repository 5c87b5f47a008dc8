/** An import says each cause of its faults once, with its rows, and names nobody who was erased. */
import { expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { inDays, openShop } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { begin, fileOf, jobOf, jsonLines, must, putPart, rowOf, rowsOf, stage, start } from "./imports.ts";

const worker = useWorker();

test("each cause is one sentence with how many rows have it, and the first of them by line and e-mail address", async () => {
  const shop = await openShop();
  const rows = [
    rowOf(shop, "a", { price: "" }),
    rowOf(shop, "b"),
    rowOf(shop, "c", { price: "", quantity: 0 }),
    ...[4, 5, 6].map((nth) => rowOf(shop, `d${nth}`, { price: "" })),
    rowOf(shop, "e", { price: "", email: "E@Example.com " }),
    rowOf(shop, "f", { next_billing_date: inDays(1) }),
  ];
  const id = await begin(shop);
  must(await putPart(shop, id, fileOf(rows.slice(0, 3))));
  must(await putPart(shop, id, fileOf(rows.slice(3)), { n: 2 }));
  const { summary } = await start(shop, worker, id, false);
  const at = (part: number, line: number, email: string) => ({ part, line, email: `${email}@example.com` });
  expect(summary.faults).toEqual([
    {
      ...{ path: "price", message: "is required", rows: 6 },
      first: [at(1, 2, "a"), at(1, 4, "c"), at(2, 2, "d4")],
    },
    {
      ...{ path: "quantity", message: "must be a whole number from 1 to 1000000", rows: 1 },
      first: [at(1, 4, "c")],
    },
    {
      ...{ path: "next_billing_date", message: `must be ${inDays(5)} or later`, rows: 1 },
      first: [at(2, 6, "f")],
    },
  ]);
  const places = (await rowsOf(shop, id)).map(({ key, summary }) => [
    key,
    summary.part,
    summary.line,
    summary.email,
  ]);
  expect(places).toContainEqual(["b", 1, 3, "b@example.com"]);
  expect(places).toContainEqual(["e", 2, 5, "e@example.com"]);
});

test("a row keeps its line when it is written, and causes that differ in a date or an id alone are one", async () => {
  const shop = await openShop();
  const first = await stage(shop, [rowOf(shop, "a"), rowOf(shop, "b")]);
  await start(shop, worker, first, true);
  const [row] = await rowsOf(shop, first);
  expect(row.summary).toMatchObject({ part: 1, line: 2, email: "a@example.com", total_here: 25 });
  const other = await stage(shop, [rowOf(shop, "a"), rowOf(shop, "b")], { source: "other" });
  const { summary } = await start(shop, worker, other, false);
  expect(summary.faults).toMatchObject([
    { path: "subscription_ref", message: "is that of the living subscription …", rows: 2 },
  ]);
  const stripe = await begin(shop, { format: "stripe" });
  const without = (id: string) => JSON.stringify({ id, items: { data: [] } });
  must(await putPart(shop, stripe, `${without("x")}\n${without("y")}\n`, { type: jsonLines }));
  const { summary: bare } = await start(shop, worker, stripe, false);
  expect(bare.faults[0]).toMatchObject({ path: "items", message: "has none", rows: 2 });
  expect(bare.faults[0].first[1]).toEqual({ part: 1, line: 2, email: null });
});

test("causes beyond the first forty are counted together", async () => {
  const shop = await openShop();
  const stripe = await begin(shop, { format: "stripe" });
  const object = (nth: number) => JSON.stringify({ id: `s${nth}`, items: { data: [{}] }, [`m${nth}`]: 1 });
  const file = Array.from({ length: 60 }, (_, nth) => object(nth)).join("\n");
  must(await putPart(shop, stripe, file, { type: jsonLines }));
  const { faults } = (await start(shop, worker, stripe, false)).summary;
  expect(faults).toHaveLength(41);
  const rest = faults.find(({ path }: { path: string }) => path === "");
  const named = faults.filter(({ path }: { path: string }) => /^m\d/.test(path)).length;
  expect(rest).toMatchObject({ message: "is at fault otherwise, as its own row says", rows: 60 - named });
});

test("a customer who is erased is named no more by an import, neither in its causes nor its rows", async () => {
  const shop = await openShop();
  const { email } = must(await api(shop.admin, "GET", `/api/profiles/${shop.profileId}`)).data;
  const id = await stage(shop, [rowOf(shop, "a", { email, price: "" }), rowOf(shop, "b", { price: "" })]);
  await start(shop, worker, id, false);
  expect(JSON.stringify(await jobOf(shop, id))).toContain(email);
  const query = { erase: "true" };
  must(await worker.call(shop.admin, "DELETE", `/api/profiles/${shop.profileId}`, { query }));
  await worker.drain();
  expect(JSON.stringify([await jobOf(shop, id), await rowsOf(shop, id)])).not.toContain(email);
  expect((await jobOf(shop, id)).summary.faults[0]).toMatchObject({
    rows: 2,
    first: [
      { line: 2, email: null },
      { line: 3, email: "b@example.com" },
    ],
  });
  const [stored] = await select<{ summary: string }>("SELECT summary FROM jobs WHERE id = ?", id);
  expect(stored!.summary).not.toContain(email);
});
