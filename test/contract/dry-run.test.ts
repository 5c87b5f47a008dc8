import { describe, expect, test } from "vitest";
import { each, operations } from "../support/document.ts";
import { useWorld } from "../support/use-world.ts";
import { queryOf } from "../support/world.ts";

const { callToSucceed } = useWorld();

const withDryRun = operations.filter(({ parameters = [] }) =>
  parameters.some(({ name }) => name === "dry_run"),
);

describe("a dry run's answer has the header Dry-Run: true, which the document declares, and the real answer has none", () => {
  test.each(each(withDryRun))("%s", async (_, operation) => {
    const ask = (dry_run: boolean) =>
      callToSucceed(operation, (of) => ({ query: { ...queryOf(operation, of), dry_run: String(dry_run) } }));
    const dry = await ask(true);
    expect(dry.status).toBe(200);
    expect(dry.headers.get("Dry-Run")).toBe("true");
    expect(operation.responses[dry.status]?.headers).toHaveProperty("Dry-Run");
    expect((await ask(false)).headers.get("Dry-Run")).toBeNull();
  });
});

test("where a dry run has an answer of its own, only that one declares the header", () => {
  const creation = operations.find(({ operationId }) => operationId === "createSubscriptions")!;
  expect(creation.responses[200]?.headers?.["Dry-Run"]).toMatchObject({ required: true });
  expect(creation.responses[201]?.headers).not.toHaveProperty("Dry-Run");
});
