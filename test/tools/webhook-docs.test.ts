/** The document has an example of each event that fits its schema. */
import { expect, test } from "vitest";
import { ownEventTypes } from "../../src/base/event-types.ts";
import { webhookDescriptions } from "../../src/domain/webhook-endpoints/event-schemas.ts";
import { apiDocument } from "../../src/runtime/operations.ts";

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema, walked as data
const { webhooks } = JSON.parse(JSON.stringify(await apiDocument(new Date("2026-11-20")))) as any;

function bodyOf(type: string) {
  return webhooks[type].post.requestBody.content["application/json"];
}

test.each(ownEventTypes)("the document's example of %s is of that type, and fits its schema", (type) => {
  const { example } = bodyOf(type);
  expect([example.type, example.data.type]).toEqual([type, type]);
  const description = webhookDescriptions.find((webhook) => webhook.type === type);
  expect(description?.schema.safeParse(example).error?.issues).toBeUndefined();
});
