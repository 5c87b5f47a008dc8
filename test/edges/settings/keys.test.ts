/** A key makes keys that may do no more than itself, shows their text once, and revokes them. */
import { beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { type Json, openShop, refusal, type Shop } from "../../support/shops.ts";
import { both, limitedKey, makeKey as makeKeyByHand, token } from "../../support/tenant.ts";
import { useWorker } from "../../support/worker.ts";

const worker = useWorker();
const path = "/api/account/keys";
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

function make(body: object, as: Caller = shop.api, headers: Record<string, string> = {}) {
  return worker.call<Json>(as, "POST", path, { body, headers });
}

function callerWith(secret: string): Caller {
  return { credentials: { "X-API-Key": secret } };
}

describe("a new key", () => {
  test("works, and its text is in no list and no row", async () => {
    const { status, body } = await make({ name: "Warehouse", scopes: ["orders:read"] });
    expect([status, body.data]).toMatchObject([
      201,
      {
        name: "Warehouse",
        scopes: ["orders:read"],
        expires_at: null,
        requires_preview: false,
        max_amount: null,
      },
    ]);
    const { secret, id } = body.data;
    const caller = callerWith(secret);
    expect((await worker.call(caller, "GET", "/api/subscriptions")).status).toBe(403);
    const listed = await worker.call<Json>(shop.api, "GET", path);
    expect(listed.body.data.map((key: Json) => key.id)).toContain(id);
    expect(listed.text).not.toContain(secret);
    expect(JSON.stringify(await select("SELECT * FROM api_keys"))).not.toContain(secret);
    expect((await worker.call<Json>(shop.api, "GET", "/api/events?limit=100")).text).not.toContain(secret);
  });

  test("is in the history, under the name of the key that made it", async () => {
    const { body } = await make({ name: "Warehouse" });
    const events = await worker.call<Json>(shop.api, "GET", "/api/events?limit=100");
    const entry = events.body.data.find((one: Json) => one.subject.id === body.data.id);
    expect(entry).toMatchObject({
      type: "api_key.created",
      actor_type: "api",
      metadata: { name: "Warehouse" },
    });
  });

  test("has no scope that the maker lacks, by its key or by a token beside it", async () => {
    const maker = await limitedKey(shop.of, ["account:read", "account:write", "orders:read"]);
    expect(refusal(await make({ name: "x", scopes: ["orders:write"] }, maker))).toEqual([403, "FORBIDDEN"]);
    const { body } = await make({ name: "x" }, maker);
    expect(body.data.scopes).toEqual(["account:read", "account:write", "orders:read"]);
    const narrow = await token(shop.of, { actor_type: "admin", scopes: ["account:write"] });
    expect(refusal(await make({ name: "x", scopes: ["orders:read"] }, both(shop.of, narrow)))).toEqual([
      403,
      "FORBIDDEN",
    ]);
  });

  test("has no looser bounds and no longer life than the maker", async () => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const made = await makeKeyByHand(shop.of, {
      name: "bound",
      expiresAt,
      limits: { requires_preview: true, max_amount: 5000 },
    });
    const maker = callerWith(made.text);
    const { body } = await make({ name: "x" }, maker);
    expect(body.data).toMatchObject({ expires_at: expiresAt, requires_preview: true, max_amount: 50 });
    for (const looser of [
      { requires_preview: false },
      { max_amount: 51 },
      { max_amount: null },
      { expires_at: null },
      { expires_at: "2099-01-01T00:00:00Z" },
    ])
      expect([looser, refusal(await make({ name: "x", ...looser }, maker))]).toEqual([
        looser,
        [403, "FORBIDDEN"],
      ]);
    expect((await make({ name: "x", max_amount: 20 }, maker)).body.data.max_amount).toBe(20);
  });

  test("is over when it says", async () => {
    const { body } = await make({ name: "x", expires_at: "2020-01-01T00:00:00Z" });
    expect((await worker.call(callerWith(body.data.secret), "GET", "/api/account")).status).toBe(401);
  });

  test("is made once under an Idempotency-Key, whose answer is sealed", async () => {
    const send = () => make({ name: "x" }, shop.api, { "Idempotency-Key": "once" });
    const [first, again] = [await send(), await send()];
    expect(again.body).toEqual(first.body);
    expect(JSON.stringify(await select("SELECT * FROM idempotency_keys"))).not.toContain(
      first.body.data.secret,
    );
  });

  test("needs a key with account:write, whatever a token may", async () => {
    expect((await make({ name: "x" }, await limitedKey(shop.of, ["account:read"]))).status).toBe(403);
    const bearer = { credentials: { Authorization: `Bearer ${await token(shop.of)}` } };
    expect((await make({ name: "x" }, bearer)).status).toBe(401);
    expect((await make({ name: "x" }, shop.customer)).status).toBeOneOf([401, 403]);
  });
});

describe("a key that is revoked", () => {
  test("works no more, is in no list, and is not found again", async () => {
    const { body } = await make({ name: "x" });
    const caller = callerWith(body.data.secret);
    expect((await worker.call(caller, "GET", "/api/account")).status).toBe(200);
    expect((await worker.call(shop.api, "DELETE", `${path}/${body.data.id}`)).status).toBe(204);
    expect((await worker.call(caller, "GET", "/api/account")).status).toBe(401);
    expect((await worker.call<Json>(shop.api, "GET", path)).text).not.toContain(body.data.id);
    expect(refusal(await worker.call<Json>(shop.api, "DELETE", `${path}/${body.data.id}`))).toEqual([
      404,
      "NOT_FOUND",
    ]);
  });

  test("is none of another account", async () => {
    const { body } = await make({ name: "x" });
    const other = await openShop();
    expect((await worker.call(other.api, "DELETE", `${path}/${body.data.id}`)).status).toBe(404);
    expect((await worker.call(callerWith(body.data.secret), "GET", "/api/account")).status).toBe(200);
  });
});
