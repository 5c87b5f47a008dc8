/** The arguments of a tool are checked as a request's are, and an idempotency_key takes effect once. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { api, type Caller } from "../../support/client.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { openTenant } from "../../support/tenant.ts";
import { paramsOf } from "../../support/world.ts";
import { argumentsOf, callTool, errorOf, refusalIn, toolOperation, useMcpWorld } from "./session.ts";

const reasons = "/api/subscriptions/skip-reasons";
const { merchant: world, caller } = useMcpWorld();

describe("arguments", () => {
  let before: string;
  beforeAll(async () => {
    before = await rowsOf(world.tenant.account.id);
  });
  afterAll(async () => {
    expect(await rowsOf(world.tenant.account.id), "what is refused changes nothing").toBe(before);
  });

  test("an unknown argument comes with the known one that is nearest and was not sent", async () => {
    const nearest = async (given: object) =>
      errorOf(await callTool(caller, "listSubscriptions", given)).details;
    expect(await nearest({ statsu: "ACTIVE" })).toEqual([
      { path: "statsu", message: "unknown field, did you mean status?" },
    ]);
    expect(await nearest({ status: "ACTIVE", statsu: "ACTIVE" })).toEqual([
      { path: "statsu", message: "unknown field" },
    ]);
  });

  test("an argument that only other tools have is unknown too", async () => {
    for (const [name, given, unknown] of [
      ["listSkipReasons", { idempotency_key: "k" }, "idempotency_key"],
      [
        "updateSkipReason",
        { ...paramsOf(toolOperation("getSkipReason"), world), idempotency_key: "k" },
        "idempotency_key",
      ],
      ["createSkipReason", { label: "x", dry_run: true }, "dry_run"],
    ] as const) {
      const { errorCode, details } = errorOf(await callTool(caller, name, given));
      expect([name, errorCode, details?.[0]?.path]).toEqual([name, "VALIDATION_FAILED", unknown]);
    }
  });

  test("a store's id is taken in both forms", async () => {
    const { id } = argumentsOf(toolOperation("getSellingPlan"), world);
    for (const form of [id, `gid://shopify/SellingPlan/${id}`]) {
      const { result } = await callTool(caller, "getSellingPlan", { id: form });
      expect(result.structuredContent).toMatchObject({ data: { id } });
    }
  });

  test("errors of the API have the same envelope as over HTTP", async () => {
    for (const [name, path, body] of [
      ["createSkipReason", reasons, { label: 1 }],
      ["createSkipReason", reasons, {}],
      ["createEntity", "/api/subscriptions/entities", { profile_id: newId(), entity_type: "dog", name: "x" }],
    ] as const) {
      const called = await callTool(caller, name, body);
      const overHttp = await api(caller, "POST", path, { body });
      expect(overHttp.status).toBe(400);
      expect(refusalIn(errorOf(called))).toEqual(refusalIn(overHttp.body));
      expect(called.result.structuredContent).toBeUndefined();
    }
  });
});

describe("acting", () => {
  const labels = async (of: Caller): Promise<string[]> => {
    const { result } = await callTool(of, "listSkipReasons");
    return result.structuredContent.data.map(({ label }: { label: string }) => label);
  };

  test("an idempotency_key takes effect once, refuses other arguments, and is the same key as over HTTP", async () => {
    const of = await openTenant();
    const given = { label: "once", idempotency_key: "key-1" };
    const [first, again] = [
      await callTool(of, "createSkipReason", given),
      await callTool(of, "createSkipReason", given),
    ];
    expect(again.result).toEqual(first.result);
    expect(await labels(of)).toEqual(["once"]);
    const other = await callTool(of, "createSkipReason", { ...given, label: "twice" });
    expect(errorOf(other).errorCode).toBe("IDEMPOTENCY_KEY_REUSED");
    const headers = { "Idempotency-Key": "key-1" };
    const overHttp = await api(of, "POST", reasons, { body: { label: "once" }, headers });
    expect(overHttp.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await labels(of)).toEqual(["once"]);
  });

  test("the Idempotency-Key of the MCP request itself is ignored: two calls take effect twice", async () => {
    const of = await openTenant();
    const headers = { "Idempotency-Key": "outer" };
    for (const label of ["a", "b"]) await callTool(of, "createSkipReason", { label }, { headers });
    expect((await labels(of)).sort()).toEqual(["a", "b"]);
  });

  test.each(["", "x".repeat(256), "a\nb", "ключ", { a: 1 }, null])(
    "an idempotency_key that is not valid is refused: %j",
    async (idempotency_key) => {
      const of = await openTenant();
      const called = await callTool(of, "createSkipReason", { label: "x", idempotency_key });
      expect(errorOf(called).errorCode).toBe("VALIDATION_FAILED");
      expect(await labels(of)).toEqual([]);
    },
  );
});
