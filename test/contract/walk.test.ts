/** Every operation of the document keeps each promise that holds for all of them (checks/). */
import { beforeAll, expect, test } from "vitest";
import type { Answer } from "../support/client.ts";
import { each, type Operation } from "../support/document.ts";
import { statementsOf } from "../support/plans.ts";
import { rowsOf } from "../support/snapshot.ts";
import { call, openWorld, type World } from "../support/world.ts";
import { answerChecks, tenancyChecks } from "./checks/answers.ts";
import { bodyChecks } from "./checks/bodies.ts";
import { runChecks } from "./checks/check.ts";
import { credentialChecks } from "./checks/credentials.ts";
import { errorChecks } from "./checks/errors.ts";
import { type PlannedWalk, planChecks } from "./checks/plans.ts";
import { scopeChecks } from "./checks/scopes.ts";
import { unknownChecks } from "./checks/unknown.ts";

/**
 * Every promise that holds for each operation, checked operation by operation. A new operation needs no test of its own for them;
 * a new promise is a check in one of the files of checks/.
 */
const checks = {
  ...answerChecks,
  ...planChecks,
  ...tenancyChecks,
  ...credentialChecks,
  ...scopeChecks,
  ...unknownChecks,
  ...bodyChecks,
  ...errorChecks,
};

const mark = "canary-of-the-other-tenant";
let shared: World;
let other: World;
let rowsOfOther: string;
beforeAll(async () => {
  shared = await openWorld();
  other = await openWorld(mark);
  rowsOfOther = await rowsOf(other.tenant.account.id);
});

test("the snapshot of a tenant's rows holds every table that has an account", () => {
  for (const table of ["accounts", "api_keys", "profiles", "reasons"])
    expect(rowsOfOther).toMatch(new RegExp(`^${table} `, "m"));
});

test.each(each())("%s answers as its document says and refuses what it must", async (_, operation) => {
  await runChecks(operation, await walkOf(operation), checks);
});

async function walkOf(operation: Operation): Promise<PlannedWalk> {
  let current = await openWorld();
  let first: Promise<First> | undefined;
  const renew = async (): Promise<World> => {
    current = await openWorld();
    return current;
  };
  return {
    ...{ shared, other, mark, rowsOfOther, renew },
    world: () => current,
    async succeeded() {
      first ??= callFirst(operation, current);
      return (await first).answer;
    },
    async statements() {
      first ??= callFirst(operation, current);
      return (await first).statements;
    },
    async callToSucceed(changed = () => ({})) {
      const answer = await call(operation, current, changed(current));
      return answer.status < 300 ? answer : call(operation, await renew(), changed(current));
    },
  };
}

type First = { answer: Answer; statements: string[] };

async function callFirst(operation: Operation, of: World): Promise<First> {
  let answer: Answer | undefined;
  const statements = await statementsOf(async () => {
    answer = await call(operation, of);
  });
  return { answer: answer!, statements };
}
