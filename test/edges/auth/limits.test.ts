/** A credential with limits does only what it has previewed and charges no more than it may, nor does what it makes. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import type { CredentialLimits } from "../../../src/base/accounts/limits.ts";
import { api, type Caller } from "../../support/client.ts";
import { operations } from "../../support/document.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { both, makeKey, staff } from "../../support/tenant.ts";
import { call, openWorld, queryOf, type World } from "../../support/world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});

function byId(id: string) {
  return operations.find(({ operationId }) => operationId === id)!;
}

async function keyWith(limits: Partial<CredentialLimits>): Promise<Caller> {
  const { text } = await makeKey(world.tenant, { name: "agent", limits });
  return { credentials: { "X-API-Key": text } };
}

/** As the operation wants it: the key alone, or with a token of staff that it has issued. */
async function callerWith(limits: Partial<CredentialLimits>, more: object = {}): Promise<Caller> {
  const key = await keyWith(limits);
  const { status, body } = await api<{ access_token: string }>(key, "POST", "/api/auth/token", {
    body: { actor_type: "admin", name: "Agent", ...more },
  });
  expect(status).toBe(200);
  return both({ ...world.tenant, ...key }, body.access_token);
}

function dry(id: string, as: Caller) {
  return call(byId(id), world, { as, query: { ...queryOf(byId(id), world), dry_run: "true" } });
}

test("with requires_preview what has a preview is done by it alone, and all else as ever", async () => {
  const as = await callerWith({ requires_preview: true });
  const before = await rowsOf(world.tenant.account.id);
  const unseen = await call(byId("skipSubscription"), world, { as });
  expect(unseen).toMatchObject({ status: 428, body: { errorCode: "PREVIEW_REQUIRED" } });
  expect(await rowsOf(world.tenant.account.id)).toBe(before);
  const preview = (await dry("skipSubscription", as)).headers.get("Preview")!;
  const done = await call(byId("skipSubscription"), world, { as, headers: { "If-Preview": preview } });
  expect(done.status).toBe(200);
  expect((await call(byId("createSkipReason"), world, { as })).status).toBe(200);
});

test("a record that is not there, and a body that is not valid, are told before the preview that lacks; a state after it", async () => {
  const as = await callerWith({ requires_preview: true });
  const gone = await api(as, "POST", "/api/subscriptions/01a22306-d195-75a9-8792-5ca2adb047c0/pause", {
    body: {},
  });
  expect(gone.status).toBe(404);
  expect((await call(byId("changeFrequency"), world, { as, body: { interval: "ERA" } })).status).toBe(400);
  await call(byId("cancelSubscription"), world, {});
  expect((await call(byId("skipSubscription"), world, { as })).status).toBe(428);
});

test("with max_amount a request that charges or refunds more is refused, its dry run too", async () => {
  const charged = (await dry("shipNow", await staff(world.tenant))).body as { dry_run: { amount: number } };
  const { amount } = charged.dry_run;
  const below = await callerWith({ max_amount: Math.round(amount * 100) - 1 });
  const most = [
    ["shipNow", below],
    ["refundOrder", await callerWith({ max_amount: 1 })],
  ] as const;
  const before = await rowsOf(world.tenant.account.id);
  for (const [id, as] of most) {
    const refused = { status: 403, body: { errorCode: "AMOUNT_ABOVE_LIMIT" } };
    expect([id, await dry(id, as)]).toMatchObject([id, refused]);
    expect([id, await call(byId(id), world, { as })]).toMatchObject([id, refused]);
  }
  expect(await rowsOf(world.tenant.account.id)).toBe(before);
  const enough = await callerWith({ max_amount: Math.round(amount * 100) });
  expect((await call(byId("shipNow"), world, { as: enough })).status).toBe(200);
});

test("with max_amount nothing is charged in another currency, which the bound says nothing of", async () => {
  const as = await callerWith({ max_amount: 1_000_000_00 });
  expect((await dry("shipNow", as)).status).toBe(200);
  await env.DB.prepare("UPDATE subscriptions SET currency_code = 'JPY' WHERE account_seq = ?")
    .bind(world.tenant.account.seq)
    .run();
  const refused = { status: 403, body: { errorCode: "AMOUNT_ABOVE_LIMIT" } };
  expect(await dry("shipNow", as)).toMatchObject(refused);
  expect(await call(byId("shipNow"), world, { as })).toMatchObject(refused);
});

test("a token has the limits of its key, or stricter ones, and never looser", async () => {
  const key = await keyWith({ requires_preview: true, max_amount: 5000 });
  const ask = (more: object) =>
    api(key, "POST", "/api/auth/token", { body: { actor_type: "admin", ...more } });
  expect((await ask({ max_amount: 49.5 })).status).toBe(200);
  for (const looser of [{ max_amount: 50.01 }, { requires_preview: false }])
    expect(await ask(looser)).toMatchObject({ status: 403, body: { errorCode: "FORBIDDEN" } });
  const alone = await callerWith({}, { requires_preview: true });
  expect((await call(byId("pauseSubscription"), world, { as: alone })).status).toBe(428);
});

test("a key with limits makes no link of the portal, whose session would have none, and no job of many", async () => {
  const as = await keyWith({ requires_preview: true });
  expect((await call(byId("createPortalSession"), world, { as })).status).toBe(403);
  const bulk = await call(byId("changeManySubscriptions"), world, { as, query: { dry_run: "false" } });
  expect(bulk).toMatchObject({ status: 428, body: { errorCode: "PREVIEW_REQUIRED" } });
});
