/** Every document that is sent to Shopify is valid by its published schema. */
import { readFileSync } from "node:fs";
import { buildSchema, type DocumentNode, GraphQLEnumType, Kind, parse, validate } from "graphql";
import { describe, expect, test } from "vitest";
import * as documents from "../../../src/stores/shopify/documents.ts";
import { sources } from "../../tools/sources.ts";

const schema = buildSchema(readFileSync("test/stores/shopify/admin-2026-10.graphql", "utf8"));
const exported = Object.entries<string>(documents);

function faultsOf(text: string): string[] {
  return validate(schema, parse(text)).map(({ message }) => message);
}

function operationsOf({ definitions }: DocumentNode): string[] {
  return definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION ? [one.name?.value ?? "unnamed"] : [],
  );
}

/** Where code holds the text of an operation: at the beginning of a template. */
const operationText = /`\s*(?:query|mutation|subscription)\b\s*(\w*)\s*[({]/g;

function operationsIn(text: string): string[] {
  return [...text.matchAll(operationText)].map(([, name]) => name!);
}

describe("Shopify's published schema", () => {
  test.each(exported)("knows all of %s", (_name, text) => {
    expect(faultsOf(text)).toEqual([]);
  });

  test("a misspelt field, argument, input field or type is found", () => {
    const { createAttempt, createContract, readAttempt } = documents;
    expect(faultsOf(readAttempt.replace("idempotencyKey", "idempotenceKey"))).toEqual([
      'Cannot query field "idempotenceKey" on type "SubscriptionBillingAttempt". Did you mean "idempotencyKey"?',
    ]);
    expect(faultsOf(createAttempt.replace("subscriptionContractId:", "contractId:"))).not.toEqual([]);
    expect(faultsOf(createContract.replace("$input: Sub", "$input: Sup"))).not.toEqual([]);
    expect(faultsOf(readAttempt.replace("SuccessState", "SucceededState"))).not.toEqual([]);
    expect(faultsOf(readAttempt.replace("id: $id", "id: 1.5"))).not.toEqual([]);
  });

  test.each([
    ["SubscriptionBillingAttemptGeneralErrorCode", 10],
    ["SubscriptionBillingAttemptInventoryErrorCode", 2],
    ["SubscriptionBillingAttemptPaymentErrorCode", 46],
    ["BillingAttemptUserErrorCode", 15],
    ["SubscriptionDraftErrorCode", 45],
  ])("%s is whole", (name, values) => {
    const type = schema.getType(name);
    expect(type).toBeInstanceOf(GraphQLEnumType);
    expect((type as GraphQLEnumType).getValues()).toHaveLength(values);
  });
});

const folder = "src/stores/shopify/documents/";

describe("operations", () => {
  const named = exported.flatMap(([, text]) => operationsOf(parse(text)));

  test("every one is exported by documents.ts, one a document", () => {
    const texts = sources.filter(({ path }) => path.startsWith(folder)).map(({ text }) => text);
    expect(texts.flatMap(operationsIn).sort()).toEqual(named.toSorted());
    expect(named).toHaveLength(exported.length);
  });

  test("each has a name of its own, by which Shopify's logs and the fake store know it", () => {
    expect(new Set(named).size).toBe(named.length);
    expect(named).not.toContain("unnamed");
  });

  test("no other file holds one", () => {
    const others = sources.filter(({ path }) => !path.startsWith(folder));
    expect(others.filter(({ text }) => operationsIn(text).length > 0).map(({ path }) => path)).toEqual([]);
  });
});
