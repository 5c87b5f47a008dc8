/** The document says the same with its repeated parts among the components as with each in its place. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { shareParts } from "../../../../src/kit/http/document/share-parts.ts";
import { apiDocument } from "../../../../src/runtime/operations.ts";
import { expandParts } from "../../../support/expand-parts.ts";

type Paths = { paths: object; webhooks: object };

function saidBy(document: object): Paths {
  const { paths, webhooks } = expandParts(document as Paths);
  return { paths, webhooks };
}

test("the API's own document", async () => {
  const document = JSON.parse(JSON.stringify(await apiDocument(new Date("2026-11-20"))));
  const shared = shareParts(document);
  expect(saidBy(shared)).toEqual(saidBy(document));
  expect(shared.components.schemas).toEqual(document.components.schemas);
  expect(JSON.stringify(shared).length).toBeLessThan(0.82 * JSON.stringify(document).length);
});

const header = fc.record({
  description: fc.constantFrom("The id of the request.", "When to try again: a number of seconds."),
  required: fc.boolean(),
  schema: fc.constant({ type: "string" }),
});
const response = fc.oneof(
  fc.record({
    description: fc.constantFrom("Done.", "Refused: the record's state does not allow it.", "!"),
    headers: fc.dictionary(fc.constantFrom("X-Request-Id", "Retry-After"), header),
  }),
  fc.record(
    {
      $ref: fc.constant("#/components/responses/Refused"),
      description: fc.constantFrom("Not today.", "Never."),
    },
    { requiredKeys: ["$ref"] },
  ),
);
const parameter = fc.record({
  name: fc.constantFrom("id", "page"),
  in: fc.constantFrom("path", "query"),
  description: fc.constantFrom("The id of the record: a UUID.", "Which page of the list, counted from 1."),
});
const operation = fc.record(
  {
    operationId: fc.string(),
    parameters: fc.array(parameter, { maxLength: 3 }),
    responses: fc.dictionary(fc.constantFrom("200", "400", "409"), response),
  },
  { requiredKeys: ["operationId", "responses"] },
);
const paths = fc.dictionary(
  fc.constantFrom("/a", "/b", "/c"),
  fc.dictionary(fc.constantFrom("get", "post"), operation),
);
const documents = fc.record({
  paths,
  webhooks: paths,
  components: fc.record({
    responses: fc.record({
      Refused: fc.record({
        description: fc.constant("Refused."),
        headers: fc.record({ "X-Request-Id": header }),
      }),
    }),
  }),
});

test("any document", () => {
  fc.assert(
    fc.property(documents, (document) => {
      const before = structuredClone(document);
      expect(saidBy(shareParts(document))).toEqual(saidBy(before));
      expect(document).toEqual(before);
    }),
  );
});
