/** A request that is repeated with its Idempotency-Key takes effect once, wherever the first one died. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Answer, deployment } from "../support/client.ts";
import { expectDocumented } from "../support/conform.ts";
import { execute, select } from "../support/database.ts";
import { each, type Operation, operations } from "../support/document.ts";
import { areOnObjects } from "../support/objects.ts";
import { interrupted, isolateEnded } from "../support/slow-database.ts";
import { rowsOf } from "../support/snapshot.ts";
import { bodyOf, callerOf, openWorld, pathOf, queryOf, type World } from "../support/world.ts";

/** On objects every third: their storage knows no operation. */
const keyed = operations
  .filter(({ parameters }) => parameters?.some(({ name }) => name === "Idempotency-Key"))
  .filter((_, nth) => !areOnObjects || nth % 3 === 0);

/** The status that the subscription needs so that these operations change it. */
const statusBefore: Record<string, string> = {
  resumeSubscription: "PAUSED",
  reactivateSubscription: "CANCELLED",
};

let world: World;
beforeEach(async () => {
  world = await openWorld();
});

/** A request of an operation under a key, the same each time, on a database that a test may interrupt. */
async function requestOf(operation: Operation): Promise<(DB?: D1Database) => Promise<Answer>> {
  const status = statusBefore[operation.operationId];
  if (status)
    await execute(
      "UPDATE subscriptions SET status = ? WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      status,
      world.tenant.account.id,
    );
  const [as, path] = [await callerOf(operation, world), pathOf(operation, world)];
  const [body, query] = [bodyOf(operation, world), queryOf(operation, world)];
  const options = { body, query, headers: { "Idempotency-Key": operation.operationId } };
  return (DB) => deployment(DB ? { DB } : {})(as, operation.method, path, options);
}

function states() {
  return select(
    "SELECT state, status FROM idempotency_keys WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    world.tenant.account.id,
  );
}

async function rows(): Promise<string[]> {
  return (await rowsOf(world.tenant.account.id))
    .split("\n")
    .filter((row) => !row.startsWith("idempotency_keys"));
}

/** The second request is answered with the records that the first created, and creates nothing. */
async function expectAnsweredFromRecords(operation: Operation, send: () => Promise<Answer>): Promise<Answer> {
  const before = await rows();
  expect(await states()).toEqual([{ state: "COMMITTED", status: null }]);
  const repeated = await send();
  expectDocumented(operation, repeated);
  expect(repeated.status, repeated.text).toBeLessThan(300);
  expect(repeated.headers.get("Idempotency-Replayed")).toBe("true");
  expect(await rows()).toEqual(before);
  // It is kept once the answer was sent.
  await vi.waitFor(async () => expect(await states()).toEqual([{ state: "DONE", status: repeated.status }]));
  const replayed = await send();
  expect([replayed.status, replayed.text]).toEqual([repeated.status, repeated.text]);
  return repeated;
}

describe("a request that committed, and died before its response was stored, gets the same response again", () => {
  test.each(each(keyed))("%s", async (_, operation) => {
    const send = await requestOf(operation);
    const storingResponse = /^update "idempotency_keys" set "state" = \?, "status"/;
    const first = await send(interrupted(storingResponse, { before: isolateEnded }));
    expect(first.status, first.text).toBeLessThan(300);
    const repeated = await expectAnsweredFromRecords(operation, send);
    expect([repeated.status, repeated.body]).toEqual([first.status, first.body]);
    expect(repeated.headers.get("Location")).toBe(first.headers.get("Location"));
  });
});

describe("a request whose commit had no response is answered with the records that it created", () => {
  test.each(each(keyed))("%s", async (_, operation) => {
    const send = await requestOf(operation);
    const committing = /^insert into "idempotency_keys"/;
    expect((await send(interrupted(committing, { after: isolateEnded }))).status).toBe(500);
    await expectAnsweredFromRecords(operation, send);
  });
});

describe("a request that did not commit frees its key, and takes effect when it is repeated", () => {
  test.each(each(keyed))("%s", async (_, operation) => {
    const send = await requestOf(operation);
    const committing = /^insert into "idempotency_keys"/;
    expect((await send(interrupted(committing, { before: isolateEnded }))).status).toBe(500);
    expect(await states()).toEqual([]);
    const second = await send();
    expect(second.status, second.text).toBeLessThan(300);
    expect(second.headers.get("Idempotency-Replayed")).toBeNull();
  });
});
