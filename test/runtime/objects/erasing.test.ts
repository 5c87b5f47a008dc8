/** An erased account with an object leaves nothing there or in the directory, and is never begun anew. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { commit } from "../../../src/base/db/commit.ts";
import { AccountObject } from "../../../src/runtime/engine/account-object.ts";
import { writeConnection } from "../../../src/stores/shopify/app/connection.ts";
import { credentialsKey, logged, sendAccepted } from "../../edges/webhooks/hooks.ts";
import { api } from "../../support/client.ts";
import { execute, numbersOf, testDb } from "../../support/database.ts";
import { fakeShopify, fetchOf } from "../../support/fake-shopify.ts";
import { inObject } from "../../support/objects.ts";
import { deliver } from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import type { Tenant } from "../../support/tenant.ts";
import { openWorker, type TestWorker } from "../../support/worker.ts";
import { openWorld } from "../../support/world.ts";

const [token, secret] = ["shpat_test", "shpss_of_the_shop"];
let of: Tenant;
let worker: TestWorker;
let store: ReturnType<typeof fakeShopify>;

beforeEach(async () => {
  of = (await openWorld()).tenant;
  const { id, shop } = of.account;
  const connection = { accountId: id, shop, credentials: { token, secret }, now: new Date().toISOString() };
  await commit({ db: testDb() }, [await writeConnection(credentialsKey, connection)]);
  await execute("UPDATE accounts SET store = 'shopify' WHERE id = ?", id);
  store = fakeShopify({ shop, token, secret, now: Date.now });
  vi.stubGlobal("fetch", fetchOf(store));
  worker = openWorker({ STORE_CREDENTIALS_KEY: credentialsKey });
  store.uninstall();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** The directory and the object hold nothing of the account; the object alone knows that it has erased it. */
async function expectErased(): Promise<void> {
  expect(await rowsOf(of.account.id)).toBe("");
  expect(await inDirectory()).toEqual([]);
}

function numberInDirectory(): number {
  return numbersOf.get(of.account.id)!.directory;
}

async function inDirectory(): Promise<unknown[]> {
  return (
    await Promise.all(
      ["accounts WHERE seq", "api_keys WHERE account_seq", "activity_logs WHERE account_seq"].map(
        async (place) =>
          (
            await env.DB.prepare(`SELECT 1 FROM ${place} = ?`).bind(numberInDirectory()).all()
          ).results,
      ),
    )
  ).flat();
}

async function requestErasure(): Promise<void> {
  return sendAccepted(
    { worker },
    await store.webhookOf("shop/redact", { shop_id: 1, shop_domain: of.account.shop }),
  );
}

describe("an account with an object whose shop is erased", () => {
  test("leaves nothing in its object nor in the directory, and its keys are refused", async () => {
    await requestErasure();
    await worker.drain();
    await expectErased();
    expect((await api(of, "GET", "/api/subscriptions/entities")).status).toBe(401);
  });

  test("is not begun anew by a call that was under way", async () => {
    await requestErasure();
    const jobs = worker.sent();
    await Promise.all([...jobs, ...jobs].map((job) => deliver([job], { bindings: worker.bindings })));
    await worker.drain();
    await expectErased();
  });

  test("is erased by its own alarm, if the directory has forgotten it and the object has died before it did", async () => {
    await requestErasure();
    await execute(
      "UPDATE webhook_deliveries SET next_action_at = received_at WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      of.account.id,
    );
    for (const place of [
      "api_keys WHERE account_seq",
      "activity_logs WHERE account_seq",
      "reconciliations WHERE account_seq",
    ])
      await env.DB.prepare(`DELETE FROM ${place} = ?`).bind(numberInDirectory()).run();
    for (const place of ["event_sequences WHERE account_seq", "accounts WHERE seq"])
      await env.DB.prepare(`DELETE FROM ${place} = ?`).bind(numberInDirectory()).run();
    await worker.drain();
    expect(await rowsOf(of.account.id), "the message found no account").not.toBe("");
    const lines = await logged(() =>
      inObject(of.account.id, (state) => new AccountObject(state, worker.bindings).alarm()),
    );
    expect(lines).toContainEqual(expect.objectContaining({ event: "shop_redacted" }));
    await expectErased();
    const alarm = await inObject(of.account.id, async (state) => {
      await new AccountObject(state, worker.bindings).alarm();
      return state.storage.getAlarm();
    });
    expect(alarm).toBeNull();
  });
});
