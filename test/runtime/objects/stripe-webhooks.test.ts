/** A webhook of Stripe is proven, stored and worked on in the account's object alone. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { subscribed } from "../../stores/stripe/account.ts";
import { expectChargedOnce, newestOf, shipped } from "../../stores/stripe/charging.ts";
import {
  arrive,
  deliveriesOf,
  type HookedAccount,
  hookedAccount,
  receive,
} from "../../stores/stripe/hooks.ts";
import { logged } from "../../support/jobs.ts";

/** Stripe's webhooks of an account with an object: their address names the account, and the object checks the signature. */

const account = {} as HookedAccount;
beforeEach(async () => {
  Object.assign(account, await hookedAccount());
  account.worker.forget();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const hook = () =>
  account.stripe.webhookOf(account.endpoint, "payment_intent.succeeded", {
    ...{ id: "pi_1Test", object: "payment_intent" },
    metadata: { key: "key-1", account_id: account.merchant.of.account.id },
  });

test("one that is signed is stored in the object, and nothing of it outside", async () => {
  const lines = await logged(async () => {
    expect((await receive(account, await hook())).status).toBe(200);
  });
  expect(await deliveriesOf(account)).toMatchObject([{ subject: "pi_1Test key-1", done_at: null }]);
  expect(await env.DB.prepare("SELECT * FROM webhook_deliveries").first()).toBeNull();
  const { id } = account.merchant.of.account;
  expect(lines.filter(({ event }) => event === "request")).toMatchObject([
    { account_id: id, engine: "object" },
  ]);
});

test("one that is not is refused by the object, and stored nowhere", async () => {
  const signature = { "stripe-signature": "t=1,v1=00" };
  const { status, body } = await receive(account, await hook(), { headers: signature });
  expect([status, body.errorCode]).toEqual([401, "UNAUTHENTICATED"]);
  expect(await deliveriesOf(account)).toEqual([]);
});

test("what follows from those of a charge is done in the object", async () => {
  const id = await subscribed(account);
  await shipped(account, id);
  await arrive(account);
  const done = (await deliveriesOf(account)).map(({ done_at }) => done_at);
  expect(done).toEqual(done.map(() => expect.stringMatching(/Z$/)));
  expect(done.length).toBeGreaterThan(0);
  expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED" });
  await expectChargedOnce(account, id);
});
