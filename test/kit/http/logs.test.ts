/** Every request is one line of JSON that says what came of it, and holds no secret or personal data. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { type Answer, api, deployment, nobody } from "../../support/client.ts";
import { operations } from "../../support/document.ts";
import { interrupted } from "../../support/slow-database.ts";
import { bearer, both, limitedKey, openTenant, token } from "../../support/tenant.ts";
import { adminToken, call, callerOf, fill, openWorld, pathOf } from "../../support/world.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const levels = ["log", "info", "warn", "error", "debug"] as const;

/** Everything written to the log while `act` runs. */
async function captured(act: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = [];
  for (const level of levels)
    vi.spyOn(console, level).mockImplementation((...args: unknown[]) => {
      lines.push(args.map(String).join(" "));
    });
  await act();
  vi.restoreAllMocks();
  return lines;
}

test("every request is one JSON line with its id, route, status and account, and no line holds secrets or personal data", async () => {
  const mark = "personal-mark";
  const world = await openWorld(mark);
  const adminText = await adminToken(world.tenant);
  const customerText = await world.customerToken();
  for (const operation of operations) await callerOf(operation, world);
  const lines = await captured(async () => {
    for (const operation of operations) {
      await call(operation, world);
      await call(operation, world, { as: nobody });
      await call(operation, world, { as: { credentials: { "X-API-Key": `${world.tenant.key}x` } } });
      await call(operation, world, { as: bearer(customerText), query: { surprise: mark } });
    }
  });
  expect(lines.length).toBeGreaterThanOrEqual(operations.length * 4);
  for (const line of lines) {
    const entry = JSON.parse(line) as Record<string, unknown>;
    expect(entry.event).toMatch(/^[a-z_]+$/);
    expect(entry.request_id).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
  }
  const requests = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "request");
  // Before each webhook of a provider of mails the world sets that provider; the portal it switches on once.
  const preparing = 5;
  expect(requests).toHaveLength(operations.length * 4 + preparing);
  expect(requests).toContainEqual(
    expect.objectContaining({
      account_id: world.tenant.account.id,
      route: "/api/subscriptions/skip-reasons/{id}",
    }),
  );
  const { azp, jti } = JSON.parse(atob(adminText.split(".")[1]!));
  expect(azp).toBe(world.tenant.keyId);
  expect(requests).toContainEqual(expect.objectContaining({ key_id: azp, token_id: jti, status: 200 }));
  const all = lines.join("\n");
  const secrets = [
    world.tenant.key,
    world.tenant.key.slice(-49),
    adminText,
    customerText,
    "prnl_",
    "eyJ",
    "Bearer",
    "@",
    mark,
  ];
  for (const secret of secrets) expect(all).not.toContain(secret);
});

test("a fault is in the log and not in the response: no SQL, no stack, no message", async () => {
  const world = await openWorld();
  const broken = () => Promise.reject(new Error("D1_ERROR: no such column: label_of_secret"));
  const send = deployment({ DB: interrupted(/from "reasons"/, { before: broken }) });
  let answer: Answer<Record<string, string>> | undefined;
  const lines = await captured(async () => {
    answer = await send(world.tenant, "GET", "/api/subscriptions/skip-reasons");
  });
  expect([answer?.status, answer?.body?.errorCode]).toEqual([500, "INTERNAL"]);
  expect(Object.keys(answer?.body ?? {}).sort()).toEqual(["error", "errorCode", "request_id"]);
  expect(answer?.text).not.toMatch(/D1_|column|select|src\//i);
  const told = lines.map((line) => JSON.parse(line)).find(({ event }) => event === "error");
  expect(told).toMatchObject({
    request_id: answer?.body.request_id,
    cause: expect.stringContaining("no such column"),
  });
});

describe("the line of a refused request says why, and for whom", () => {
  const reasons = "/api/subscriptions/skip-reasons";
  const lineOf = async (act: () => Promise<unknown>): Promise<Record<string, unknown>> =>
    (await captured(act)).map((line) => JSON.parse(line)).find(({ event }) => event === "request");

  test("with the account and the key that were proven", async () => {
    const of = await openTenant();
    const proven = { account_id: of.account.id, key_id: of.keyId };
    expect(await lineOf(() => api(of, "GET", `${reasons}/${newId()}`))).toMatchObject({
      ...proven,
      status: 404,
      errorCode: "NOT_FOUND",
    });
    expect(await lineOf(() => api(of, "POST", reasons, { body: {} }))).toMatchObject({
      ...proven,
      status: 400,
      errorCode: "VALIDATION_FAILED",
    });
    const limited = await limitedKey(of, ["orders:read"]);
    expect(await lineOf(() => api(limited, "GET", reasons))).toMatchObject({
      account_id: of.account.id,
      key_id: limited.keyId,
      status: 403,
      errorCode: "FORBIDDEN",
    });
    expect(await lineOf(() => api(both(of, "e30.e30.e30"), "GET", reasons))).toMatchObject({
      ...proven,
      status: 401,
      errorCode: "UNAUTHENTICATED",
    });
  });

  test("with the code alone where nobody is proven, and without one for a success", async () => {
    const line = await lineOf(() => api(nobody, "GET", reasons));
    expect(line).toMatchObject({ status: 401, errorCode: "UNAUTHENTICATED", route: reasons });
    expect(Object.keys(line)).not.toContain("account_id");
    const of = await openTenant();
    expect(Object.keys(await lineOf(() => api(of, "GET", reasons)))).not.toContain("errorCode");
  });

  test("a method that a path does not have is logged with the path", async () => {
    expect(await lineOf(() => api(nobody, "DELETE", reasons))).toMatchObject({
      route: reasons,
      status: 405,
      errorCode: "METHOD_NOT_ALLOWED",
    });
  });
});

test("every line of a request has its id, its key's and its token's", async () => {
  const of = await openTenant();
  const text = await token(of);
  const broken = () => Promise.reject(new Error("D1_ERROR: broken"));
  const send = deployment({ DB: interrupted(/from "reasons"/, { before: broken }) });
  const lines = await captured(() => send(both(of, text), "GET", "/api/subscriptions/skip-reasons"));
  expect(lines.length).toBeGreaterThan(1);
  const { jti } = JSON.parse(atob(text.split(".")[1]!));
  const about = {
    request_id: expect.any(String),
    key_id: of.keyId,
    token_id: jti,
    account_id: of.account.id,
  };
  for (const line of lines) expect(JSON.parse(line)).toMatchObject(about);
});

test("the line of a request names the operation's path, never the ids in it", async () => {
  const world = await openWorld();
  const operation = operations.find(({ method, path }) => method === "GET" && path.includes("{"))!;
  const path = pathOf(operation, world);
  const lines = await captured(() =>
    api(world.tenant, "GET", `${path}?email=${encodeURIComponent("a@b.test")}`),
  );
  expect(lines.join("\n")).not.toContain(path.split("/").at(-1));
  expect(JSON.parse(lines.at(-1)!).route).toBe(operation.path);
  expect(fill(operation.path, { id: "x" })).not.toBe(operation.path);
});
