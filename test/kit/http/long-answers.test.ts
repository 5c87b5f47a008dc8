/** An answer that is too long to be stored is made again for a repeated request, which takes effect once. */
import { describe, expect, test } from "vitest";
import { api, deployment } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { entityOf, put } from "../../support/records.ts";
import { actionsOf, itemOf, on, outbox, read, rowOf, subscribe } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { useAccount } from "../../support/use-account.ts";

const shop = useAccount();

/** A subscription whose answer is longer than what is kept of one, or just as long. */
function ofLines(count: number, more: object = {}): Promise<string> {
  return subscribe(shop, {
    lines: Array.from({ length: count }, () =>
      itemOf(shop.plan, { product_title: "é".repeat(1_000), ...more }),
    ),
  });
}

async function keptOf(key: string) {
  return (await select("SELECT state, status, body FROM idempotency_keys WHERE key = ?", key))[0];
}

function pausing(id: string, key: string, query = {}) {
  return api(shop.api, "POST", on(id, "pause"), { query, headers: { "Idempotency-Key": key } });
}

describe("a response of more than 64 KiB is not stored", () => {
  test("it is made again for each retry, and the request takes effect once", async () => {
    const id = await ofLines(40);
    const first = await pausing(id, "long");
    expect(first.status).toBe(200);
    expect(new TextEncoder().encode(first.text).byteLength).toBeGreaterThan(64 * 1024);
    expect(await keptOf("long")).toEqual({ state: "COMMITTED", status: null, body: null });
    for (let times = 0; times < 2; times++) {
      const again = await pausing(id, "long");
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    }
    expect(await actionsOf(id)).toEqual(["subscription_created", "subscription_paused"]);
  });

  test("it shows the current record", async () => {
    const id = await ofLines(40);
    await pausing(id, "since");
    await api(shop.api, "POST", on(id, "cancel"));
    const again = await pausing(id, "since");
    expect(again.body.data).toEqual(await read(shop, id));
    expect(again.body.data.status).toBe("CANCELLED");
  });

  test("a shorter one is stored", async () => {
    const id = await ofLines(20);
    const first = await pausing(id, "short");
    expect(await keptOf("short")).toMatchObject({ state: "DONE", status: 200, body: first.text });
  });

  test("a long dry run, which changes nothing, is not stored: it runs again", async () => {
    const id = await ofLines(40);
    const first = await pausing(id, "dry", { dry_run: true });
    expect([first.status, await keptOf("dry")]).toEqual([200, undefined]);
    const again = await pausing(id, "dry", { dry_run: true });
    expect(again.headers.get("Idempotency-Replayed")).toBeNull();
    expect((await rowOf(id)).status).toBe("ACTIVE");
  });

  test("the largest number of subscriptions that a request can create is listed again, in order", {
    timeout: 30_000,
  }, async () => {
    const entities = Array.from({ length: 250 }, () => entityOf(shop.of, shop.profileId));
    await put("entities", entities);
    const body = {
      profile_id: shop.profileId,
      store_payment_method_id: "pm_success",
      next_delivery_date: "2035-01-31",
      lines: entities.map(({ id }) => itemOf(shop.plan, { entity_id: id })),
    };
    const options = { body, headers: { "Idempotency-Key": "many" } };
    const gone = () => Promise.reject(new Error("isolate gone"));
    const DB = interrupted(/^update "idempotency_keys" set "state" = \?, "status"/, { before: gone });
    const send = deployment({ ...outbox().bindings, DB });
    const first = await send(shop.api, "POST", "/api/subscriptions", options);
    expect([first.status, first.body.ids.length]).toEqual([201, 250]);
    const again = await api(shop.api, "POST", "/api/subscriptions", options);
    expect([again.status, again.text]).toEqual([201, first.text]);
  });
});
