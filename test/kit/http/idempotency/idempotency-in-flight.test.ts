/** Of two requests with one Idempotency-Key in flight one takes effect, and a dead one frees its key or is answered. */
import { describe, expect, test } from "vitest";
import { api, deployment } from "../../../support/client.ts";
import { refusal } from "../../../support/shops.ts";
import { gate, interrupted } from "../../../support/slow-database.ts";
import { openTenant, profile } from "../../../support/tenant.ts";
import { keyed, skip, useKeys } from "../keys.ts";

const insertOfReason = /^insert into "reasons"/;

const { tenant, create, reasonCount, rowOf } = useKeys();

describe("in flight: 409 IDEMPOTENCY_IN_PROGRESS", () => {
  const entities = "/api/subscriptions/entities";
  const insertOfEntity = /^insert into "entities"/;
  const heldEntity = async () => {
    const { id: profile_id } = await profile(tenant);
    const held = gate();
    const slow = deployment({ DB: interrupted(insertOfEntity, { before: held.pass }) });
    const body = { profile_id, entity_type: "dog", name: "Rex" };
    const first = slow(tenant, "POST", entities, keyed("k1", body));
    await held.reached;
    const again = (name = "Rex") => api(tenant, "POST", entities, keyed("k1", { ...body, name }));
    return { first, open: held.open, again };
  };

  test("of two requests that have both found the key free, the second to commit; repeated, it is answered", async () => {
    const { first, open, again } = await heldEntity();
    const second = await again();
    expect([second.status, second.headers.get("Idempotency-Replayed")]).toEqual([200, null]);
    open();
    expect(refusal(await first)).toEqual([409, "IDEMPOTENCY_IN_PROGRESS"]);
    expect((await again()).text).toBe(second.text);
  });

  test("and 422 if the other was another request", async () => {
    const { first, open, again } = await heldEntity();
    expect((await again("Max")).status).toBe(200);
    open();
    expect(refusal(await first)).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  });

  test("a request that reads nothing before its commit is answered as the other was", async () => {
    const held = gate();
    const slow = deployment({ DB: interrupted(insertOfReason, { before: held.pass }) });
    const first = slow(tenant, "POST", skip, keyed("k1"));
    await held.reached;
    const second = await create("k1");
    expect((await create("k1", { label: "Another" })).status, "another request").toBe(422);
    held.open();
    expect([(await first).text, (await first).headers.get("Idempotency-Replayed")]).toEqual([
      second.text,
      "true",
    ]);
    expect(await reasonCount()).toBe(1);
  });

  test("of many requests at once exactly one takes effect, and the others are 409 or its replay", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create("k1")));
    const fresh = answers.filter(
      ({ status, headers }) => status === 200 && !headers.has("Idempotency-Replayed"),
    );
    expect(fresh).toHaveLength(1);
    for (const { status, text } of answers) {
      expect([200, 409]).toContain(status);
      if (status === 200) expect(text).toBe(fresh[0]?.text);
    }
    expect(await reasonCount()).toBe(1);
  });
});

describe("a request that dies", () => {
  test("before its commit leaves the key free at once", async () => {
    const dead = () => Promise.reject(new Error("isolate gone"));
    const first = await deployment({ DB: interrupted(insertOfReason, { before: dead }) })(
      tenant,
      "POST",
      skip,
      keyed("k1"),
    );
    expect(first.status).toBe(500);
    expect(await rowOf("k1")).toBeUndefined();
    expect((await create("k1")).headers.get("Idempotency-Replayed")).toBeNull();
    expect(await reasonCount()).toBe(1);
  });

  test("that committed before its response was stored is answered from the records, and never takes effect again", async () => {
    const dead = () => Promise.reject(new Error("isolate gone"));
    const DB = interrupted(/^update "idempotency_keys" set "state" = \?, "status"/, { before: dead });
    const first = await deployment({ DB })(tenant, "POST", skip, keyed("k1"));
    expect(first.status).toBe(200);
    expect(await rowOf("k1")).toMatchObject({ state: "COMMITTED" });
    const again = await create("k1");
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await reasonCount()).toBe(1);
  });

  test("whose database response was lost after the commit is answered from the records, and never takes effect again", async () => {
    const lost = () => Promise.reject(new Error("Network connection lost"));
    const DB = interrupted(insertOfReason, { after: lost });
    const first = await deployment({ DB })(tenant, "POST", skip, keyed("k1"));
    expect(first.status).toBe(503);
    const again = await create("k1");
    expect([again.status, again.body.data.label]).toEqual([200, "Holiday"]);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await reasonCount()).toBe(1);
  });
});

describe("a response that is made again from the records", () => {
  const dead = () => Promise.reject(new Error("isolate gone"));
  const settling = /^update "idempotency_keys" set "state" = \?, "status"/;
  const unanswered = (key: string) =>
    deployment({ DB: interrupted(settling, { before: dead }) })(tenant, "POST", skip, keyed(key));

  test("shows the current record, and is replayed from then on", async () => {
    const { body } = await unanswered("k1");
    const { id } = body.data;
    await api(tenant, "PUT", `${skip}/${id}`, { body: { label: "Changed since" } });
    const anew = await create("k1");
    expect(anew.body.data).toMatchObject({ id, label: "Changed since" });
    await api(tenant, "PUT", `${skip}/${id}`, { body: { label: "Changed again" } });
    expect((await create("k1")).text).toBe(anew.text);
  });

  test("is for the same request and the same caller only", async () => {
    await unanswered("k1");
    expect((await create("k1", { label: "Another" })).status).toBe(422);
    const other = await create("k1", undefined, await openTenant());
    expect(other.headers.get("Idempotency-Replayed")).toBeNull();
    expect(await reasonCount()).toBe(1);
  });

  test("is 409 if the record has been deleted since, and nothing replaces it", async () => {
    const { body } = await unanswered("k1");
    await api(tenant, "DELETE", `${skip}/${body.data.id}`);
    const again = await create("k1");
    expect([again.status, again.body.errorCode]).toEqual([409, "IDEMPOTENCY_IN_PROGRESS"]);
    expect(again.headers.get("Idempotency-Replayed")).toBeNull();
    expect(await reasonCount()).toBe(1);
  });

  test("does not replace a response that was stored meanwhile", async () => {
    const held = gate();
    const slow = deployment({ DB: interrupted(settling, { before: held.pass }) });
    const first = slow(tenant, "POST", skip, keyed("k1"));
    await held.reached;
    const anew = await create("k1");
    held.open();
    await first;
    expect((await create("k1")).text).toBe(anew.text);
    expect(await reasonCount()).toBe(1);
  });

  test("is tried again later if the database is unavailable", async () => {
    await unanswered("k1");
    const lost = () => Promise.reject(new Error("Network connection lost"));
    const DB = interrupted(/from "reasons"/, { before: lost });
    expect((await deployment({ DB })(tenant, "POST", skip, keyed("k1"))).status).toBe(503);
    expect((await create("k1")).status).toBe(200);
  });
});
