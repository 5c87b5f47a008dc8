/** Changes of one subscription at the same time all take effect in turn, or are refused whole. */
import { describe, expect, test } from "vitest";
import { type Answer, api, deployment } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import {
  actionsOf,
  done,
  entriesOf,
  inDays,
  itemOf,
  type Json,
  on,
  openShop,
  read,
  rowOf,
  subscribe,
} from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { useAccount } from "../../support/use-account.ts";

const shop = useAccount();

type Asked = { method: string; part: string; body?: unknown };

function ask(id: string, { method, part, body }: Asked): Promise<Answer<Json>> {
  return api<Json>(shop.api, method, on(id, part), body === undefined ? {} : { body });
}

/** Each answer is a success or a refusal that tells why. */
function sorted(answers: Answer<Json>[]) {
  for (const { status, body, text } of answers) {
    expect([200, 409], text).toContain(status);
    if (status === 409) expect(["VERSION_CONFLICT", "INVALID_STATE"]).toContain(body.errorCode);
  }
  return answers.filter(({ status }) => status === 200);
}

type Replayed = Record<string, unknown>;

/** The state that the entries lead to, one after the other, from the one that the first found: each begins where the last ended. */
async function replay(id: string): Promise<Replayed> {
  const entries = (await entriesOf(id)).filter(({ changes }) => changes !== null);
  const state: Replayed = {};
  for (const { action, changes } of entries)
    for (const [field, { from, to }] of Object.entries(
      changes as Record<string, { from: unknown; to: unknown }>,
    )) {
      if (field in state) expect(from, `${action} changes ${field} from what it was`).toEqual(state[field]);
      state[field] = to;
    }
  return state;
}

/** As many entries as revisions: none without a change, no change without one. */
async function expectWhole(id: string, applied: number): Promise<void> {
  const entries = await entriesOf(id);
  expect(entries).toHaveLength(1 + applied);
  expect((await rowOf(id)).revision).toBe(1 + applied);
}

describe("50 changes of one subscription at once", () => {
  test("mixed: one entry for each that changed it, and the row is what they say", async () => {
    const id = await subscribe(shop);
    const kinds: ((n: number) => Asked)[] = [
      () => ({ method: "POST", part: "skip", body: { skip_weeks: 1 } }),
      (n) => ({ method: "PUT", part: "frequency", body: { interval: "DAY", interval_count: 20 + n } }),
      (n) => ({ method: "PUT", part: "delivery-instructions", body: { delivery_instructions: `n ${n}` } }),
      (n) => ({ method: "POST", part: "lines", body: itemOf(shop.plan, { price: n + 1, sku: `sku-${n}` }) }),
      () => ({ method: "POST", part: "pause", body: {} }),
      () => ({ method: "POST", part: "resume", body: {} }),
    ];
    const asked = Array.from({ length: 50 }, (_, n) => kinds[n % kinds.length]!(n));
    const answers = await Promise.all(asked.map((one) => ask(id, one)));
    sorted(answers);
    const isDone = (n: number) => answers[n]!.status === 200;
    const row = await rowOf(id);
    const entries = await entriesOf(id);
    const count = (action: string) => entries.filter((entry) => entry.action === action).length;
    const succeeded = (part: string) => asked.filter((one, n) => one.part === part && isDone(n)).length;

    await expectWhole(id, entries.length - 1);
    for (const [part, action] of [
      ["skip", "subscription_skipped"],
      ["frequency", "frequency_changed"],
      ["delivery-instructions", "delivery_instructions_updated"],
      ["lines", "lines_changed"],
    ] as const)
      expect([part, count(action)]).toEqual([part, succeeded(part)]);
    expect(count("subscription_paused")).toBeLessThanOrEqual(succeeded("pause"));
    expect(count("subscription_resumed")).toBeLessThanOrEqual(succeeded("resume"));
    const pausedMore = count("subscription_paused") - count("subscription_resumed");
    expect(pausedMore).toBe(row.status === "PAUSED" ? 1 : 0);

    const skus = asked
      .filter(({ part }, n) => part === "lines" && isDone(n))
      .map(({ body }) => (body as Json).sku);
    const shown = await read(shop, id);
    expect(
      shown.lines
        .slice(1)
        .map(({ sku }: Json) => sku)
        .toSorted(),
    ).toEqual(skus.toSorted());
    expect(shown.subtotal).toBe(shown.lines.reduce((sum: number, line: Json) => sum + line.line_total, 0));
    expect(shown.next_delivery_date).toBe(inDays(7 + 7 * count("subscription_skipped")));
    const skips = await select("SELECT * FROM subscription_skips WHERE subscription_id = ?", id);
    expect(skips).toHaveLength(count("subscription_skipped"));
  });

  test("20 added lines at once: as many lines as successes, and their sum", async () => {
    const id = await subscribe(shop);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        ask(id, { method: "POST", part: "lines", body: itemOf(shop.plan, { price: 2 ** n }) }),
      ),
    );
    const added = sorted(answers);
    expect(added.length).toBeGreaterThan(0);
    await expectWhole(id, added.length);
    const shown = await read(shop, id);
    expect(shown.lines).toHaveLength(1 + added.length);
    const sum = answers.reduce((total, { status }, n) => total + (status === 200 ? 2 ** n : 0), 10);
    expect([shown.subtotal, shown.total]).toEqual([sum, sum]);
  });

  test("10 skips at once move by as many weeks as succeeded; 10 unskips undo each once", async () => {
    const id = await subscribe(shop);
    const skip = { method: "POST", part: "skip", body: { skip_weeks: 1 } };
    const skipped = sorted(await Promise.all(Array.from({ length: 10 }, () => ask(id, skip)))).length;
    expect((await read(shop, id)).next_delivery_date).toBe(inDays(7 + 7 * skipped));
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask(id, { method: "POST", part: "unskip" })),
    );
    const undone = sorted(answers).length;
    expect(undone).toBeLessThanOrEqual(skipped);
    expect((await read(shop, id)).next_delivery_date).toBe(inDays(7 + 7 * (skipped - undone)));
    const open = await select(
      "SELECT id FROM subscription_skips WHERE subscription_id = ? AND undone_at IS NULL",
      id,
    );
    expect(open).toHaveLength(skipped - undone);
    await expectWhole(id, skipped + undone);
  });

  test.each([
    ["pause", "PAUSED", "subscription_paused"],
    ["cancel", "CANCELLED", "subscription_cancelled"],
  ])("20 times %s at once: all succeed or lost a race, one changed it", async (part, status, action) => {
    const id = await subscribe(shop);
    const answers = sorted(
      await Promise.all(Array.from({ length: 20 }, () => ask(id, { method: "POST", part, body: {} }))),
    );
    for (const { body } of answers) expect(body.data.status).toBe(status);
    expect((await entriesOf(id)).map((entry) => entry.action)).toEqual(["subscription_created", action]);
  });

  test("pause against cancel: never paused after it was cancelled", async () => {
    for (let n = 0; n < 5; n++) {
      const id = await subscribe(shop);
      const parts = ["pause", "cancel", "resume", "pause", "cancel", "reactivate"];
      sorted(await Promise.all(parts.map((part) => ask(id, { method: "POST", part, body: {} }))));
      const row = await rowOf(id);
      expect(row.next_delivery_date === null).toBe(row.status === "CANCELLED");
      expect(row.paused_at !== null).toBe(row.status === "PAUSED");
      expect(row.cancelled_at !== null).toBe(row.status === "CANCELLED");
      const entries = await entriesOf(id);
      await expectWhole(id, entries.length - 1);
    }
  });

  test("one line removed by many goes once; of two lines never both", async () => {
    const id = await subscribe(shop, { lines: [itemOf(shop.plan), itemOf(shop.plan)] });
    const { lines } = await read(shop, id);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => ask(id, { method: "DELETE", part: `lines/${lines[n % 2].id}` })),
    );
    for (const { status, text } of answers) expect([200, 404, 409], text).toContain(status);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await read(shop, id)).lines).toHaveLength(1);
  });
});

test("one after the other the entries tell the row, each from where the last left it", async () => {
  const id = await subscribe(shop);
  const asked: Asked[] = [
    { method: "POST", part: "skip", body: { skip_weeks: 2 } },
    { method: "PUT", part: "frequency", body: { interval: "DAY", interval_count: 20 } },
    { method: "POST", part: "lines", body: itemOf(shop.plan) },
    { method: "POST", part: "pause", body: { reason: "Away", pause_until: inDays(50) } },
    { method: "POST", part: "resume" },
    { method: "POST", part: "unskip" },
    { method: "PUT", part: "schedule", body: { next_delivery_date: inDays(30) } },
    { method: "POST", part: "cancel", body: {} },
    { method: "POST", part: "reactivate", body: { next_delivery_date: inDays(33) } },
  ];
  for (const one of asked) {
    const { status, text } = await ask(id, one);
    expect(status, `${one.part} ${text}`).toBe(200);
  }
  const said = await replay(id);
  const row = await rowOf(id);
  const { lines, subtotal, total, ...plain } = said;
  expect(row).toMatchObject(plain);
  expect([subtotal, total]).toEqual([row.subtotal / 100, row.total / 100]);
  const named = (all: Json) => all.map(({ id: of, sku, quantity }: Json) => ({ of, sku, quantity }));
  expect(named(lines)).toEqual(named(JSON.parse(row.lines)));
});

test("instructions for all at once: decided anew as often as others change one of them meanwhile, in one batch", async () => {
  const shop = await openShop();
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push(await subscribe(shop));
  const [first, paused, ...touched] = ids as [string, string, ...string[]];
  const meanwhile = [
    ...touched.map((id) => () => done(shop.api, "POST", id, "skip", { skip_weeks: 1 })),
    () => done(shop.api, "POST", paused, "pause", {}),
  ];
  let batches = 0;
  const DB = interrupted(/insert into "new_entries"/i, {
    async before() {
      batches++;
      await meanwhile.shift()?.();
    },
  });
  const { status, body } = await deployment({ DB })<Json>(
    shop.api,
    "PUT",
    on(first, "delivery-instructions"),
    {
      body: { delivery_instructions: "Ring", update_all_active: true },
    },
  );
  const active = [first, ...touched];
  expect([status, body.data]).toEqual([
    200,
    { updated: 5, subscription_ids: expect.arrayContaining(active) },
  ]);
  expect([batches, meanwhile]).toEqual([6, []]);
  for (const id of active) {
    const row = await rowOf(id);
    expect([row.delivery_instructions, row.revision]).toEqual(["Ring", (await entriesOf(id)).length]);
    expect((await actionsOf(id)).filter((action) => action === "delivery_instructions_updated")).toHaveLength(
      1,
    );
  }
  expect((await rowOf(paused)).delivery_instructions).toBeNull();
});

test("instructions for all at once: where others never stop, 409 and none is changed", async () => {
  const shop = await openShop();
  const ids = [await subscribe(shop), await subscribe(shop)];
  const DB = interrupted(/insert into "new_entries"/i, {
    before: async () => void (await done(shop.api, "POST", ids[1]!, "skip", { skip_weeks: 1 })),
  });
  const { status, body } = await deployment({ DB })<Json>(
    shop.api,
    "PUT",
    on(ids[0]!, "delivery-instructions"),
    {
      body: { delivery_instructions: "Ring", update_all_active: true },
    },
  );
  expect([status, body.errorCode]).toEqual([409, "VERSION_CONFLICT"]);
  for (const id of ids) expect((await rowOf(id)).delivery_instructions).toBeNull();
});

test("instructions for all at once against changes of each: all of them or none, and nothing lost", async () => {
  const shop = await openShop();
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) ids.push(await subscribe(shop));
  const all = (n: number) =>
    api<Json>(shop.api, "PUT", on(ids[0]!, "delivery-instructions"), {
      body: { delivery_instructions: `all ${n}`, update_all_active: true },
    });
  const each = ids.map((id) => api<Json>(shop.api, "POST", on(id, "skip"), { body: { skip_weeks: 1 } }));
  const answers = await Promise.all([all(1), ...each, all(2), all(3)]);
  sorted(answers);
  const rows = await Promise.all(ids.map(rowOf));
  expect(new Set(rows.map((row) => row.delivery_instructions)).size).toBe(1);
  for (const row of rows) expect(row.revision).toBe((await entriesOf(row.id)).length);
});
