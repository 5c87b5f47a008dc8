/** Much that is due of one account is done page by page, so that what others ask for stands behind one page, not behind all. */
import { expect, test } from "vitest";
import { copiesOf } from "../../support/copies.ts";
import { execute, select } from "../../support/database.ts";
import { findDue } from "../../support/jobs.ts";
import { deliver, force, inDays, type Json } from "../../support/shops.ts";
import { linked, useShop } from "../../support/worker.ts";

const { shop, worker } = useShop();

/** Delivers jobs in batches that one invocation has room for; returns the messages that the consumer sends, with their delays. */
async function sentBy(...jobs: Json[]): Promise<Json[]> {
  const sent: Json[] = [];
  const sendBatch = async (messages: Iterable<Json>) => void sent.push(...messages);
  const JOBS = { sendBatch } as unknown as Queue<unknown>;
  const bindings = { ...worker.bindings, JOBS };
  for (let nth = 0; nth < jobs.length; nth += 5) await deliver(jobs.slice(nth, nth + 5), { bindings });
  return sent;
}

function isType(type: string) {
  return ({ body }: Json) => body.type === type;
}

function bodiesOf(messages: Json[]): Json[] {
  return messages.map(({ body }) => body);
}

async function countOpen(): Promise<number | undefined> {
  const [row] = await select<{ n: number }>(
    "SELECT COUNT(*) AS n FROM billing_attempts WHERE settled_at IS NULL",
  );
  return row?.n;
}

test("the next page waits until most of the page before is done, for a minute at most", async () => {
  const id = await linked(shop, worker, { next_delivery_date: inDays(7) });
  await force(id, { next_billing_date: inDays(0), next_delivery_date: inDays(0), anchor_date: inDays(0) });
  await copiesOf(id, 600);

  const first = await sentBy(findDue(shop));
  const [next] = first.filter(isType("find_due"));
  expect(first.filter(isType("process_due"))).toHaveLength(25);
  const charges = await sentBy(...bodiesOf(first.filter(isType("process_due"))));
  expect(charges).toHaveLength(500);
  expect(await countOpen()).toBe(500);

  const waiting = await sentBy(next.body);
  expect(waiting).toEqual([{ body: { ...next.body, waits: 1 }, delaySeconds: 5 }]);
  expect(await sentBy({ ...next.body, waits: 11 })).toEqual([
    { body: { ...next.body, waits: 12 }, delaySeconds: 5 },
  ]);
  const inAnyCase = await sentBy({ ...next.body, waits: 12 });
  expect(inAnyCase.map(({ body }) => body.type)).toEqual(Array(6).fill("process_due"));

  await sentBy(...bodiesOf(charges.slice(0, 260)));
  expect(await countOpen()).toBe(240);
  expect((await sentBy(waiting[0].body)).map(({ body }) => body.type)).toEqual(Array(6).fill("process_due"));
});

test("attempts that wait for a customer or for the store hold no page up", async () => {
  await execute(
    "UPDATE billing_attempts SET next_action_at = '2099-01-01T00:00:00.000Z' WHERE settled_at IS NULL",
  );
  const page = { ...findDue(shop), after: { due: "2000-01-01", id: "a" } };
  expect((await sentBy(page)).filter(isType("find_due"))).toEqual([]);
});
