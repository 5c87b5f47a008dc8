/** The document declares the Dry-Run header for the answers that have it, and for no other. */
import { expect, test } from "vitest";
import { operations } from "../support/document.ts";

test("where a dry run has an answer of its own, only that one declares the header", () => {
  const creation = operations.find(({ operationId }) => operationId === "createSubscriptions")!;
  expect(creation.responses[200]?.headers?.["Dry-Run"]).toMatchObject({ required: true });
  expect(creation.responses[201]?.headers).not.toHaveProperty("Dry-Run");
});
