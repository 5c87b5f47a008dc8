/** Only bodies whose shape others define take unknown keys. */
import { expect, test } from "vitest";
import { withJsonBody } from "../support/document.ts";
import { isOpen } from "./checks/unknown.ts";

test("only those bodies take unknown keys whose shape others define", () => {
  expect(withJsonBody.filter(isOpen).map(({ path }) => path)).toEqual([
    "/webhooks/shopify",
    "/webhooks/stripe/{account_id}",
    "/webhooks/mail/{provider}/{account_id}",
  ]);
});
