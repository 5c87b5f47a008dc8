/** Every operation answers from its account's object, and from no other's. */
import { beforeAll, expect, test } from "vitest";
import { answerChecks, tenancyChecks } from "../../contract/checks/answers.ts";
import { runChecks, type Walk } from "../../contract/checks/check.ts";
import { credentialChecks } from "../../contract/checks/credentials.ts";
import { each } from "../../support/document.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { call, openWorld, type World } from "../../support/world.ts";

/**
 * The promises that depend on where an account's rows are. Requests are read and refused by the same code on both engines, which
 * is checked on D1.
 */
const promises = [
  "every operation succeeds as documented, and what a tenant is told is never cached",
  "a record of another account does not exist: 404",
  "without credentials 401 exactly where the document declares security",
];

const checks = Object.fromEntries(
  Object.entries({ ...answerChecks, ...tenancyChecks, ...credentialChecks }).filter(([promise]) =>
    promises.includes(promise),
  ),
);

const mark = "canary-of-the-other-tenant";
let current: World;
let other: World;
let rowsOfOther: string;
beforeAll(async () => {
  current = await openWorld();
  other = await openWorld(mark);
  rowsOfOther = await rowsOf(other.tenant.account.id);
});

async function renew(): Promise<World> {
  current = await openWorld();
  return current;
}

test("the checks of the walk on objects are all there", () => {
  expect(Object.keys(checks).sort()).toEqual(promises.toSorted());
});

/** One world serves many operations: to make one on an object takes longer than all checks of one. */
test.each(each())("%s answers from an account's object, and from no other's", async (_, operation) => {
  let first: ReturnType<Walk["succeeded"]> | undefined;
  const walk: Walk = {
    ...{ shared: current, other, mark, rowsOfOther, renew },
    world: () => current,
    callToSucceed: async (changed = () => ({})) => {
      const answer = await call(operation, current, changed(current));
      return answer.status < 300 ? answer : call(operation, await renew(), changed(current));
    },
    succeeded() {
      first ??= walk.callToSucceed();
      return first;
    },
  };
  await runChecks(operation, walk, checks);
});
