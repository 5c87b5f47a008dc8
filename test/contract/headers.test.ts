import { describe, expect, test } from "vitest";
import { each, isAnonymous, type Operation, operations, titleOf } from "../support/document.ts";
import { useWorld } from "../support/use-world.ts";
import { call } from "../support/world.ts";

const { shared } = useWorld();

describe("a client's own X-Request-Id is kept if it is 1..128 of [A-Za-z0-9_.-]", () => {
  const kept = ["a", "ORDER_7.retry-2", "x".repeat(128)];
  const replaced = ["x".repeat(129), "has space", "semi;colon", "<script>", "a,b"];
  const made = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/;
  const idAnswered = async (operation: Operation, id: string) =>
    (await call(operation, shared(), { headers: { "X-Request-Id": id } })).headers.get("X-Request-Id");

  const listed = operations.find(({ operationId }) => operationId === "listSubscriptions")!;
  test.each(kept)("%j is kept", async (id) => expect(await idAnswered(listed, id)).toBe(id));
  test.each(replaced)("%j is replaced", async (id) => expect(await idAnswered(listed, id)).toMatch(made));

  /** All operations have the same middleware, so that one id of each kind shows that an operation has it. */
  test.each(operations.map((operation, nth) => [titleOf(operation), operation, nth] as const))(
    "%s",
    async (_, operation, nth) => {
      const [good, bad] = [kept[nth % kept.length]!, replaced[nth % replaced.length]!];
      expect(await idAnswered(operation, good)).toBe(good);
      expect(await idAnswered(operation, bad)).toMatch(made);
    },
  );
});

describe("tenant data is never cached", () => {
  const secured = operations.filter((operation) => !isAnonymous(operation));
  test.each(each(secured))("%s", async (_, operation) => {
    const { headers } = await call(operation, shared());
    expect(headers.get("Cache-Control")).toBe("no-store");
  });
});

describe("no origin may read an answer unless the deployment allows it", () => {
  test.each(each())("%s", async (_, operation) => {
    await call(operation, shared(), { headers: { Origin: "https://evil.example" } });
  });
});
