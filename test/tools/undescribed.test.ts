/** The API's document leaves no operation, parameter or field undescribed. */
import { expect, test } from "vitest";
import { undescribed } from "../../scripts/openapi/undescribed.ts";
import { apiDocument } from "../../src/runtime/operations.ts";

const text = JSON.stringify(await apiDocument(new Date("2026-11-20")));

/** The API's own document, as a value that a test may change. */
function ownDocument() {
  return JSON.parse(text);
}

test("the API's own document leaves nothing unsaid", () => {
  expect(undescribed(ownDocument())).toEqual([]);
});

test.each<[string, (document: ReturnType<typeof ownDocument>) => void, string]>([
  [
    "an operation",
    ({ paths }) => delete paths["/api/account"].get.description,
    "getAccount has no summary or description",
  ],
  [
    "a parameter",
    ({ paths }) => delete paths["/api/subscriptions"].get.parameters[0].description,
    "listSubscriptions ?page has no description",
  ],
  [
    "a field",
    ({ components }) => delete components.schemas.Entity.properties.name.description,
    "Entity.name has no description",
  ],
  [
    "a field's example",
    ({ components }) => delete components.schemas.Entity.properties.name.example,
    "Entity.name has no example",
  ],
  [
    "the example of a body",
    ({ paths }) =>
      delete paths["/api/account/test-clock"].post.requestBody.content["application/json"].example,
    "advanceTestClock has no example of application/json",
  ],
  [
    "an enumeration's value",
    ({ components }) => components.schemas.OrderStatus.enum.push("DISPUTED"),
    "OrderStatus does not say what DISPUTED is",
  ],
  [
    "an enumeration",
    ({ components }) => delete components.schemas.Currency.description,
    "Currency has no description",
  ],
])("%s that says nothing is named", (_, silence, fault) => {
  const document = ownDocument();
  silence(document);
  expect(undescribed(document)).toContain(fault);
});
