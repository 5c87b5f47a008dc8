import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { examples, withExamples } from "../../scripts/webhook-examples.ts";
import { ownEventTypes } from "../../src/base/event-types.ts";
import { webhookDescriptions } from "../../src/domain/webhook-endpoints/event-schemas.ts";

const page = readFileSync("docs/webhooks.md", "utf8");

test("docs/webhooks.md shows what the code makes; `node scripts/webhook-examples.ts` writes it", () => {
  expect(withExamples(page)).toBe(page);
});

test("it has an example of each type", () => {
  expect(examples().map(({ type }) => type)).toEqual(ownEventTypes);
});

test.each(examples().map(({ type, body }) => [type, body] as const))(
  "the example of %s is what its webhook describes",
  (type, body) => {
    const schema = webhookDescriptions.find((webhook) => webhook.type === type)?.schema;
    expect(schema?.safeParse(body).error?.issues).toBeUndefined();
  },
);
