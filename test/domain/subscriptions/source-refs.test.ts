/** A migration_source_ref names one living subscription, and can be found. */
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { api, deployment } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { seeded } from "../../support/seeded.ts";
import { entriesOf, force } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import {
  bodyFor,
  create,
  created,
  entityFor,
  lineOf,
  openSeller,
  path,
  type Seller,
  shown,
} from "../../support/subscriptions.ts";
import { bearer, token } from "../../support/tenant.ts";

const ref = "legacy-4711";
const body = { migration_source_ref: ref };
let shop: Seller;
/** The payment method is known before, so that nothing but the ref makes two creations collide. */
const known = "of another";
beforeEach(async () => {
  shop = await openSeller();
  await created(shop, { migration_source_ref: known });
});

function act(id: string, verb: string, query = {}) {
  return api(shop.admin, "POST", `${path}/${id}/${verb}`, { body: {}, query });
}

async function cancelled(id: string): Promise<void> {
  expect((await act(id, "cancel")).status).toBe(200);
}

async function idsOf(): Promise<string[]> {
  const { account } = shop.of;
  const found = await select<{ id: string }>(
    "SELECT id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND migration_source_ref IS NOT ?",
    account.id,
    known,
  );
  return found.map(({ id }) => id);
}

function refusedFor(id: string) {
  return {
    status: 409,
    body: {
      errorCode: "INVALID_STATE",
      error: expect.stringContaining(id),
      details: [{ path: "migration_source_ref", message: `is that of the living subscription ${id}` }],
    },
  };
}

/** Two subscriptions of one request: one for each of two dogs. */
async function siblings(): Promise<string[]> {
  const dogs = [await entityFor(shop.admin, shop.profileId), await entityFor(shop.admin, shop.profileId)];
  return created(shop, { ...body, lines: dogs.map((entity_id) => lineOf(shop.planId, { entity_id })) });
}

describe("a migration_source_ref names one living subscription", () => {
  test.each(["ACTIVE", "PAUSED", "PAYMENT_FAILED"])(
    "a second creation is 409 with the id of the first while that is %s, also as a dry run",
    async (status) => {
      const [id] = await created(shop, body);
      await force(id!, { status });
      for (const dry_run of [true, false])
        expect(await create(shop, body, { query: { dry_run } })).toMatchObject(refusedFor(id!));
      expect(await idsOf()).toEqual([id]);
    },
  );

  test.each(["CANCELLED", "EXPIRED"])("it can be taken again once that is %s", async (status) => {
    const [first] = await created(shop, body);
    await force(first!, { status });
    expect((await create(shop, body, { query: { dry_run: true } })).status).toBe(200);
    const [second] = await created(shop, body);
    expect(await create(shop, body)).toMatchObject(refusedFor(second!));
  });

  test("of ten creations at once one succeeds", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(shop, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    const [id, ...others] = await idsOf();
    expect(others).toEqual([]);
    for (const answer of answers) if (answer.status === 409) expect(answer).toMatchObject(refusedFor(id!));
  });

  test("a creation that is decided before another commits is refused by its commit", async () => {
    let between: string[] = [];
    const DB = interrupted(/insert into "subscriptions"/i, {
      before: async () => {
        if (between.length === 0) between = await created(shop, body);
      },
    });
    const answer = await deployment({ DB })(shop.admin, "POST", path, { body: bodyFor(shop, body) });
    expect(answer).toMatchObject(refusedFor(between[0]!));
    expect(await idsOf()).toEqual(between);
  });

  test("a creation is answered again under its Idempotency-Key, and refused under another", async () => {
    const send = (key: string) => create(shop, body, { headers: { "Idempotency-Key": key } });
    const first = await send("import-1");
    expect(first.status).toBe(201);
    expect(await send("import-1")).toMatchObject({ status: 201, body: first.body });
    expect(await send("import-2")).toMatchObject(refusedFor(first.body.ids[0]));
    expect(await idsOf()).toEqual(first.body.ids);
  });

  test("subscriptions without one, with an empty one, and those of other accounts are not compared", async () => {
    for (const migration_source_ref of [null, null, "", "", "LEGACY-4711", ref])
      await created(shop, { migration_source_ref });
    await created(await openSeller(), body);
    expect(await idsOf()).toHaveLength(6);
  });
});

describe("subscriptions that one request has split share its migration_source_ref", () => {
  test("and each may be cancelled and reactivated while the other lives", async () => {
    const [first, second] = await siblings();
    await cancelled(first!);
    expect((await act(first!, "reactivate")).status).toBe(200);
    await cancelled(second!);
    expect(await create(shop, body)).toMatchObject(refusedFor(first!));
    expect((await act(second!, "reactivate")).status).toBe(200);
  });

  test("none can be reactivated once another request has taken it", async () => {
    const both = await siblings();
    for (const id of both) await cancelled(id);
    const [next] = await created(shop, body);
    for (const id of both) expect(await act(id, "reactivate")).toMatchObject(refusedFor(next!));
  });
});

describe("reactivating a subscription whose migration_source_ref another has now", () => {
  test("is 409 with the other's id, changes nothing and logs nothing, also as a dry run", async () => {
    const [first] = await created(shop, body);
    await cancelled(first!);
    const [second] = await created(shop, body);
    const before = [await shown(shop.admin, first!), await entriesOf(first!)];
    for (const dry_run of [true, false])
      expect(await act(first!, "reactivate", { dry_run })).toMatchObject(refusedFor(second!));
    expect([await shown(shop.admin, first!), await entriesOf(first!)]).toEqual(before);
    await cancelled(second!);
    expect((await act(first!, "reactivate")).status).toBe(200);
    expect(await act(second!, "reactivate")).toMatchObject(refusedFor(first!));
  });

  test("a customer is refused without the other's id, which may be another customer's", async () => {
    const [first] = await created(shop, body);
    await cancelled(first!);
    const [second] = await created(shop, body);
    const customer = await token(shop.of, { actor_type: "customer", profile_id: shop.profileId });
    const answer = await api(bearer(customer), "POST", `${path}/${first}/reactivate`, { body: {} });
    expect([answer.status, answer.body.errorCode]).toEqual([409, "INVALID_STATE"]);
    expect(answer.text).toContain("is that of another living subscription");
    expect(answer.text).not.toContain(second);
  });

  test("of two reactivations at once one succeeds", async () => {
    const [first] = await created(shop, body);
    await cancelled(first!);
    const [second] = await created(shop, body);
    await cancelled(second!);
    const answers = await Promise.all([act(first!, "reactivate"), act(second!, "reactivate")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

test("whatever is created, cancelled and reactivated, living subscriptions with one ref are of one request", async () => {
  const step = fc.constantFrom("create", "create two", "cancel", "reactivate");
  const steps = fc.array(fc.tuple(step, fc.nat()), { minLength: 4, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(steps, async (chosen) => {
      shop = await openSeller();
      const requests: string[][] = [];
      for (const [name, nth] of chosen) {
        const ids = requests.flat();
        const id = ids[nth % Math.max(1, ids.length)];
        if (name === "create" || name === "create two") {
          const entity_id = name === "create" ? null : await entityFor(shop.admin, shop.profileId);
          const lines = [lineOf(shop.planId), lineOf(shop.planId, { entity_id })];
          const answer = await create(shop, { ...body, lines });
          if (answer.status === 201) requests.push(answer.body.ids);
        } else if (id) await act(id, name);
        const living = await select<{ id: string }>(
          "SELECT id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND status = 'ACTIVE'",
          shop.of.account.id,
        );
        const holders = requests.filter((made) => living.some((one) => made.includes(one.id)));
        expect(holders.length).toBeLessThanOrEqual(1);
      }
    }),
    seeded(15),
  );
});

describe("the list by migration_source_ref", () => {
  test("has exactly those with this one, newest first", async () => {
    const [first] = await created(shop, body);
    await cancelled(first!);
    const [second] = await created(shop, body);
    await created(shop, { migration_source_ref: "legacy-471" });
    await created(shop);
    const found = async (query: Record<string, string>) =>
      (await api(shop.admin, "GET", path, { query })).body;
    const all = await found({ migration_source_ref: ref });
    expect(all.data.map(({ id }: { id: string }) => id)).toEqual([second, first]);
    expect(all.meta.total).toBe(2);
    const living = await found({ migration_source_ref: ref, status: "ACTIVE,PAUSED" });
    expect(living.data.map(({ id }: { id: string }) => id)).toEqual([second]);
    expect((await found({ migration_source_ref: "LEGACY-4711" })).data).toEqual([]);
  });

  test.each(["", "x".repeat(256)])("refuses a text that no subscription can have: %o", async (text) => {
    const answer = await api(shop.admin, "GET", path, { query: { migration_source_ref: text } });
    expect([answer.status, answer.body.details]).toEqual([
      400,
      [{ path: "migration_source_ref", message: expect.any(String) }],
    ]);
  });
});
