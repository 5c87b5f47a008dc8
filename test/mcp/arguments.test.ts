import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/base/lib/ids.ts";
import { api, type Caller } from "../support/client.ts";
import { rowsOf } from "../support/snapshot.ts";
import { openTenant } from "../support/tenant.ts";
import { openWorld, paramsOf } from "../support/world.ts";
import {
  argumentsOf,
  callTool,
  eachTool,
  errorOf,
  everything,
  refusalIn,
  toolOperation,
  toolOperations,
  useMcpWorld,
} from "./session.ts";

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

  describe("an unknown argument is a tool error that names it, and nothing is done", () => {
    test.each(eachTool())("%s", async (name, operation) => {
      const called = await callTool(caller, name, { ...argumentsOf(operation, world), surprise_argument: 1 });
      const { errorCode, details } = errorOf(called);
      expect([errorCode, details?.[0]?.path]).toEqual(["VALIDATION_FAILED", "surprise_argument"]);
    });
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

  describe("a missing path parameter is named", () => {
    const templated = toolOperations.filter(({ path }) => path.includes("{"));
    test.each(eachTool(templated))("%s", async (name, operation) => {
      for (const missing of Object.keys(paramsOf(operation, world))) {
        const { [missing]: _, ...rest } = argumentsOf(operation, world);
        const { errorCode, details } = errorOf(await callTool(caller, name, rest));
        expect([errorCode, details?.[0]?.path]).toEqual(["VALIDATION_FAILED", missing]);
      }
    });
  });

  describe("an id cannot lead to another operation: its record does not exist", () => {
    const ids = [
      "orders",
      "skip-reasons",
      "bulk-upload",
      "..",
      ".",
      "",
      "../profiles",
      "%2e%2e",
      "x/y",
      "?a=b",
      "#a",
    ];
    const templated = toolOperations.filter(({ path }) => path.includes("{"));
    test.each(eachTool(templated))("%s", async (name, operation) => {
      const as = await everything(world, operation);
      for (const id of ids)
        for (const param of Object.keys(paramsOf(operation, world))) {
          const called = await callTool(as, name, { ...argumentsOf(operation, world), [param]: id });
          expect([id, errorOf(called).errorCode]).toEqual([
            id,
            expect.stringMatching(/^(NOT_FOUND|VALIDATION_FAILED)$/),
          ]);
        }
    });
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

  describe("dry_run returns a result and writes nothing; the call without it writes", () => {
    const trying = toolOperations.filter(({ parameters = [] }) =>
      parameters.some(({ name }) => name === "dry_run"),
    );
    test.each(eachTool(trying))("%s", async (name, operation) => {
      const fresh = await openWorld();
      const as = await everything(fresh);
      const given = argumentsOf(operation, fresh);
      const before = await rowsOf(fresh.tenant.account.id);
      const dry = await callTool(as, name, { ...given, dry_run: true });
      expect(dry.result.isError, dry.answer.text).not.toBe(true);
      expect(await rowsOf(fresh.tenant.account.id)).toBe(before);
      const { result } = await callTool(as, name, { ...given, dry_run: false });
      expect(result.isError).not.toBe(true);
    });
  });
});
