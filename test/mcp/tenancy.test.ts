import { beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../support/client.ts";
import { isAnonymous, type Operation } from "../support/document.ts";
import { rowsOf } from "../support/snapshot.ts";
import { useWorld } from "../support/use-world.ts";
import { bodyOf, call, fill, openWorld, paramsOf, queryOf, type World } from "../support/world.ts";
import {
  argumentsOf,
  callTool,
  eachTool,
  errorOf,
  everything,
  message,
  refusalIn,
  toolOperations,
} from "./session.ts";

const canary = "canary-of-the-other-tenant";
let a: World;
let b: World;
let asA: Caller;
let before: string;

const { shared, unchangedFor } = useWorld();
beforeAll(async () => {
  b = await openWorld(canary);
  before = await rowsOf(b.tenant.account.id);
  a = shared();
  asA = await everything(a);
});

/** Page URLs repeat the query that was sent, which is the caller's own text. */
function withoutQueries(text: string): string {
  return text.replaceAll(/\?[^"\\>]*/g, "");
}

/** The response shows nothing of B, and no row of B has changed. */
async function expectUntouched({ text, headers }: { text: string; headers: Headers }): Promise<void> {
  const sent = withoutQueries(text + JSON.stringify([...headers]));
  expect(sent).not.toContain(canary);
  expect(sent).not.toContain(b.tenant.account.id);
  expect(await rowsOf(b.tenant.account.id), "the other tenant's rows").toBe(before);
}

/** As A with B's ids in the path, all or one: each is answered with the 404 of HTTP. */
async function callOnTheirs(name: string, operation: Operation): Promise<void> {
  const [mine, theirs] = [paramsOf(operation, a), paramsOf(operation, b)];
  const mixtures = Object.keys(mine).map((key) => ({ ...mine, [key]: theirs[key]! }));
  for (const values of mixtures.length > 1 ? [theirs, ...mixtures] : [theirs]) {
    const called = await callTool(await everything(a, operation), name, {
      ...argumentsOf(operation, a),
      ...values,
    });
    expect(errorOf(called).errorCode).toBe("NOT_FOUND");
    const overHttp = await call(operation, a, { path: fill(operation.path, values) });
    expect(refusalIn(errorOf(called))).toEqual(refusalIn(overHttp.body));
    await expectUntouched(called.answer);
  }
}

/** As A on its own record with B's ids in body and query. Returns whether that was refused. */
async function callWithTheirs(name: string, operation: Operation): Promise<boolean> {
  const options = { body: bodyOf(operation, b), query: queryOf(operation, b) };
  const mine = operation.path.includes("{") ? paramsOf(operation, a) : {};
  const { answer, result } = await callTool(await everything(a, operation), name, {
    ...argumentsOf(operation, b),
    ...mine,
  });
  await expectUntouched(answer);
  if (!result.isError) return false;
  expect(refusalIn(errorOf({ result }))).toEqual(refusalIn((await call(operation, a, options)).body));
  return true;
}

/** Everybody may read what the portal shows without credentials. */
function namesRecords(operation: Operation): boolean {
  return (
    !isAnonymous(operation) &&
    JSON.stringify([bodyOf(operation, a), queryOf(operation, a)]) !==
      JSON.stringify([bodyOf(operation, b), queryOf(operation, b)])
  );
}

describe("every tool, with ids of another account in path, body and query, and with its own", () => {
  test.each(eachTool())("%s", async (name, operation) => {
    a = await unchangedFor(operation);
    asA = await everything(a);
    if (operation.path.includes("{")) await callOnTheirs(name, operation);
    const acted = namesRecords(operation) && !(await callWithTheirs(name, operation));
    const { answer, result } = await callTool(
      await everything(a, operation),
      name,
      argumentsOf(operation, a),
    );
    await expectUntouched(answer);
    if (!acted) expect(result.isError, answer.text).not.toBe(true);
  });
});

describe("resources of another account do not exist", () => {
  test.each([
    ["subscription", "/api/subscriptions/{id}"],
    ["profile", "/api/profiles/{id}"],
  ])("%s", async (one, path) => {
    const uri = `perennial://${one}s/${b.paths[path]?.id}`;
    const read = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } };
    const answer = await message<{ error: { data: { errorCode: string } } }>(asA, read);
    expect(answer.body.error.data.errorCode).toBe("NOT_FOUND");
    await expectUntouched(answer);
  });
});

describe("a customer's token may call the tools that it may call over HTTP, and no others", () => {
  const secured = toolOperations.filter((operation) => !isAnonymous(operation));
  test.each(eachTool(secured))("%s", async (name, operation) => {
    const token = `Bearer ${await a.customerToken()}`;
    const credentials = { ...(operation.customers ? {} : a.tenant.credentials), Authorization: token };
    const { result } = await callTool({ credentials }, name, argumentsOf(operation, a));
    const code = result.isError ? errorOf({ result }).errorCode : "none";
    if (operation.customers) expect(["UNAUTHENTICATED", "FORBIDDEN"]).not.toContain(code);
    else expect(code).toBe("FORBIDDEN");
  });
});
