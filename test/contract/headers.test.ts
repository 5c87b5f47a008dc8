/** A client's X-Request-Id is kept if it is well formed, and replaced if it is not. */
import { beforeAll, expect, test } from "vitest";
import { operations } from "../support/document.ts";
import { call, openWorld, type World } from "../support/world.ts";
import { keptIds, madeId, replacedIds } from "./checks/answers.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

test("a client's own X-Request-Id is kept if it is 1..128 of [A-Za-z0-9_.-], and replaced if it is not", async () => {
  const listed = operations.find(({ operationId }) => operationId === "listSubscriptions")!;
  const idAnswered = async (id: string) =>
    (await call(listed, world, { headers: { "X-Request-Id": id } })).headers.get("X-Request-Id");
  for (const id of keptIds) expect.soft(await idAnswered(id), id).toBe(id);
  for (const id of replacedIds) expect.soft(await idAnswered(id), id).toMatch(madeId);
});
