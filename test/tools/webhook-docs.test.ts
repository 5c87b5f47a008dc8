/** The page docs/webhooks.md lists each event of the document, with an example that fits its schema. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ownEventTypes } from "../../src/base/event-types.ts";
import { webhookDescriptions } from "../../src/domain/webhook-endpoints/event-schemas.ts";
import { apiDocument } from "../../src/runtime/operations.ts";

const page = readFileSync("docs/webhooks.md", "utf8");

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema, walked as data
const { webhooks, components } = JSON.parse(JSON.stringify(await apiDocument(new Date("2026-11-20")))) as any;

function bodyOf(type: string) {
  return webhooks[type].post.requestBody.content["application/json"];
}

function nameIn($ref: string): string {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}

/** The schemas that an event's `object` may have, by name. */
function objectsOf(type: string): string {
  const { properties } = components.schemas[nameIn(bodyOf(type).schema.properties.data.$ref)];
  const forms: { $ref?: string }[] = properties.object?.anyOf ?? [];
  const names = forms.flatMap(({ $ref }) => ($ref ? [nameIn($ref)] : []));
  return names.length > 0 ? names.join(" or ") : "none";
}

test("docs/webhooks.md lists each event of the document, with its summary and the schema of its object", () => {
  const rows = [...page.matchAll(/^\| `(\w+\.[\w*]+)` +\| (.+?) +\| (.+?) +\|$/gm)].map(([, ...row]) => row);
  expect(rows).toEqual(
    Object.keys(webhooks).map((type) => [type, webhooks[type].post.summary, objectsOf(type)]),
  );
});

test("the example on docs/webhooks.md is the document's", () => {
  const [, json = ""] = /^```json\n([\s\S]*?)^```/m.exec(page) ?? [];
  expect(JSON.parse(json)).toEqual(bodyOf("subscription.paused").example);
});

test.each(ownEventTypes)("the document's example of %s is of that type, and fits its schema", (type) => {
  const { example } = bodyOf(type);
  expect([example.type, example.data.type]).toEqual([type, type]);
  const description = webhookDescriptions.find((webhook) => webhook.type === type);
  expect(description?.schema.safeParse(example).error?.issues).toBeUndefined();
});
