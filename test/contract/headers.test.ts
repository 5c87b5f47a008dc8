import { beforeAll, describe, expect, test } from "vitest";
import { each, isAnonymous, operations } from "../support/document.ts";
import { call, type World, world } from "../support/world.ts";

let own: World;
beforeAll(async () => {
  own = await world();
});

describe("a client's own X-Request-Id is kept if it is 1..128 of [A-Za-z0-9_.-]", () => {
  const kept = ["a", "ORDER_7.retry-2", "x".repeat(128)];
  const replaced = ["x".repeat(129), "has space", "semi;colon", "<script>", "a,b"];
  const cases = [...kept.map((id) => [id, true] as const), ...replaced.map((id) => [id, false] as const)];
  test.each(each())("%s", async (_, operation) => {
    for (const [id, isKept] of cases) {
      const { headers } = await call(operation, own, { headers: { "X-Request-Id": id } });
      const answered = headers.get("X-Request-Id");
      if (isKept) expect(answered).toBe(id);
      else expect(answered).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
    }
  });
});

describe("tenant data is never cached", () => {
  const secured = operations.filter((operation) => !isAnonymous(operation));
  test.each(each(secured))("%s", async (_, operation) => {
    const { headers } = await call(operation, await world());
    expect(headers.get("Cache-Control")).toBe("no-store");
  });
});

describe("no origin may read an answer unless the deployment allows it", () => {
  test.each(each())("%s", async (_, operation) => {
    await call(operation, own, { headers: { Origin: "https://evil.example" } });
  });
});
