import { beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../support/client.ts";
import { each, isAnonymous, operations } from "../support/document.ts";
import { rowsOf } from "../support/snapshot.ts";
import { useWorld } from "../support/use-world.ts";
import { bodyOf, call, fill, openWorld, paramsOf, queryOf, type World } from "../support/world.ts";

const canary = "canary-of-the-other-tenant";
const { unchangedFor } = useWorld();
let b: World;
let before: string;

beforeAll(async () => {
  b = await openWorld(canary);
  before = await rowsOf(b.tenant.account.id);
});

/** Page URLs repeat the query that was sent, which is the caller's own text. */
function withoutQueries(text: string): string {
  return text.replaceAll(/\?[^"\\>]*/g, "");
}

/** The response shows nothing of B, and no row of B has changed. */
async function expectUntouched({ text, headers }: Answer): Promise<void> {
  const sent = withoutQueries(text + JSON.stringify([...headers]));
  expect(sent).not.toContain(canary);
  expect(sent).not.toContain(b.tenant.account.id);
  expect(await rowsOf(b.tenant.account.id), "the other tenant's rows").toBe(before);
}

test("the snapshot of a tenant's rows holds every table that has an account", () => {
  for (const table of ["accounts", "api_keys", "profiles", "reasons"])
    expect(before).toMatch(new RegExp(`^${table} `, "m"));
});

describe("a record of another account does not exist: 404", () => {
  const templated = operations.filter(({ path }) => path.includes("{"));
  test.each(each(templated))("%s", async (_, operation) => {
    const a = await unchangedFor(operation);
    const [mine, theirs] = [paramsOf(operation, a), paramsOf(operation, b)];
    const mixtures = Object.keys(mine).map((name) => ({ ...mine, [name]: theirs[name]! }));
    for (const values of [theirs, ...mixtures]) {
      const answer = await call(operation, a, { path: fill(operation.path, values) });
      expect([answer.status, answer.body.errorCode]).toEqual([404, "NOT_FOUND"]);
      await expectUntouched(answer);
    }
    expect((await call(operation, a)).status, "its own record is found").toBeLessThan(300);
  });
});

describe("ids of another account in body and query reach nothing of it", () => {
  const secured = operations.filter((operation) => !isAnonymous(operation));
  test.each(each(secured))("%s", async (_, operation) => {
    const a = await unchangedFor(operation);
    const options = { body: bodyOf(operation, b), query: queryOf(operation, b) };
    await expectUntouched(await call(operation, a, options));
  });
});

describe("a response to one tenant shows nothing of another", () => {
  test.each(each())("%s", async (_, operation) => {
    await expectUntouched(await call(operation, await unchangedFor(operation)));
  });
});
