/** Whatever others do between a preview and the request, its effect is what was shown, or there is none. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Answer, api, deployment } from "../../support/client.ts";
import { entriesOf, inDays, itemOf, type Json, on, read, rowOf, subscribe } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { chargesOf, linked, setClock, useShop } from "../../support/worker.ts";

const { shop, worker } = useShop();

type Asked = { method: "POST" | "PUT"; part: string; body: object };

const asked: Asked[] = [
  { method: "POST", part: "pause", body: { pause_until: inDays(40) } },
  { method: "POST", part: "resume", body: {} },
  { method: "POST", part: "skip-deliveries", body: { count: 1 } },
  { method: "POST", part: "skip", body: { skip_weeks: 2 } },
  { method: "PUT", part: "frequency", body: { interval: "WEEK", interval_count: 3 } },
  { method: "PUT", part: "schedule", body: { next_delivery_date: inDays(12) } },
  { method: "PUT", part: "delivery-instructions", body: { delivery_instructions: "Ring twice" } },
  {
    method: "POST",
    part: "discounts",
    body: { title: "Ten off", value_type: "PERCENTAGE", value: 10, target_type: "ORDER" },
  },
  { method: "POST", part: "cancel", body: {} },
  { method: "POST", part: "reactivate", body: {} },
];
const one = fc.constantFrom(...asked);

function ask(id: string, { method, part, body }: Asked, preview?: string): Promise<Answer<Json>> {
  const headers = preview === undefined ? {} : { headers: { "If-Preview": preview } };
  return api<Json>(shop.admin, method, on(id, part), { body, ...headers });
}

function dryRun(id: string, { method, part, body }: Asked): Promise<Answer<Json>> {
  return api<Json>(shop.admin, method, on(id, part), { body, query: { dry_run: "true" } });
}

/** The parts of a subscription that a preview is of. */
function decided({ data }: Json) {
  const { status, next_billing_date, next_delivery_date, pause_until, total, frequency_label } = data;
  const { delivery_instructions, discounts, lines, current_billing_cycle } = data;
  const contents = JSON.stringify([discounts, lines], (name, value) =>
    isOfMoment.test(name) ? undefined : value,
  );
  return {
    status,
    next_billing_date,
    next_delivery_date,
    pause_until,
    total,
    frequency_label,
    delivery_instructions,
    contents,
    current_billing_cycle,
  };
}

/** Made for one answer, or of its moment. */
const isOfMoment = /^id$|_at$|^store_discount_id$/;

/** Done as shown, or refused without a trace: there is no third. */
async function expectAsShown(
  id: string,
  shown: Answer<Json>,
  { status, body }: Answer<Json>,
  before: number,
) {
  const entries = (await entriesOf(id)).length;
  if (status === 200) {
    expect(decided(body)).toEqual(decided(shown.body));
    return;
  }
  expect([400, 409], body.error).toContain(status);
  expect(entries).toBe(before);
}

test("what others have done since is shown anew, or has changed nothing of it", async () => {
  await fc.assert(
    fc.asyncProperty(
      one,
      fc.array(one, { maxLength: 2 }),
      fc.array(one, { maxLength: 2 }),
      async (mine, first, others) => {
        const id = await subscribe(shop);
        for (const earlier of first) await ask(id, earlier);
        const shown = await dryRun(id, mine);
        if (shown.status !== 200) return;
        for (const other of others) await ask(id, other);
        const before = (await entriesOf(id)).length;
        const answer = await ask(id, mine, shown.headers.get("Preview")!);
        await expectAsShown(id, shown, answer, before);
        if (answer.status === 200)
          expect(decided({ data: await read(shop, id) })).toEqual(decided(shown.body));
      },
    ),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 25) },
  );
});

test("what others do at the moment of the write is seen too", async () => {
  for (const mine of asked.slice(2, 8))
    for (const other of asked.slice(0, 8)) {
      const id = await subscribe(shop);
      const shown = await dryRun(id, mine);
      let before = 0;
      const DB = interrupted(/insert into "new_entries"/i, {
        once: true,
        before: async () => {
          await ask(id, other);
          before = (await entriesOf(id)).length;
        },
      });
      const answer = await deployment({ DB })<Json>(shop.admin, mine.method, on(id, mine.part), {
        body: mine.body,
        headers: { "If-Preview": shown.headers.get("Preview")! },
      });
      await expectAsShown(id, shown, answer, before);
    }
});

test("the amount that is charged is the one that was shown, whoever changes the price meanwhile", async () => {
  const id = await linked(shop, worker, { next_delivery_date: inDays(20), lines: [itemOf(shop.plan)] });
  const now: Asked = { method: "POST", part: "ship-now", body: {} };
  const shown = await dryRun(id, now);
  expect(shown.body.dry_run.amount).toBe(10);
  await ask(id, {
    method: "POST",
    part: "discounts",
    body: { title: "Half", value_type: "PERCENTAGE", value: 50, target_type: "ORDER" },
  });
  const refused = await ask(id, now, shown.headers.get("Preview")!);
  expect(refused).toMatchObject({
    status: 409,
    body: { success: false, errorCode: "PREVIEW_CHANGED", preview: { dry_run: { amount: 5 } } },
  });
  await worker.drain();
  expect(await chargesOf(id)).toEqual([]);
  const headers = { "If-Preview": refused.headers.get("Preview")! };
  const { status } = await worker.call(shop.admin, "POST", on(id, "ship-now"), { body: {}, headers });
  expect(status).toBe(200);
  await worker.drain();
  expect((await chargesOf(id)).map(({ amount }) => amount)).toEqual([500]);
  expect((await rowOf(id)).total_revenue).toBe(500);
});

test("a request with an Idempotency-Key is the same one only with the same preview, and is answered again as it was", async () => {
  const id = await subscribe(shop);
  const skip: Asked = { method: "POST", part: "skip-deliveries", body: { count: 1 } };
  const preview = (await dryRun(id, skip)).headers.get("Preview")!;
  const send = (more: Record<string, string>) =>
    api<Json>(shop.admin, "POST", on(id, skip.part), {
      body: skip.body,
      headers: { "Idempotency-Key": "skip-once", ...more },
    });
  const [first, again] = [await send({ "If-Preview": preview }), await send({ "If-Preview": preview })];
  expect([first.status, again.status, again.headers.get("Idempotency-Replayed")]).toEqual([200, 200, "true"]);
  expect(again.text).toBe(first.text);
  expect((await send({})).status).toBe(422);
  expect(await entriesOf(id)).toHaveLength(2);
});

test("a key, a member of staff and the customer are shown the same, and an hour later too", async () => {
  const id = await subscribe(shop);
  const path = `${on(id, "skip-deliveries")}`;
  const previews = await Promise.all(
    [shop.api, shop.admin, shop.customer].map(async (as) => {
      const { headers } = await api(as, "POST", path, { body: { count: 1 }, query: { dry_run: "true" } });
      return headers.get("Preview");
    }),
  );
  setClock(Date.now() + 3_600_000);
  const later = await api(shop.admin, "POST", path, { body: { count: 1 }, query: { dry_run: "true" } });
  expect(new Set([...previews, later.headers.get("Preview")]).size).toBe(1);
});
