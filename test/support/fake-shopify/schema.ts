import { buildSchema, type GraphQLEnumType, type GraphQLScalarType } from "graphql";
import sdl from "../../stores/shopify/admin-2026-10.graphql?raw";

/** The schema that the fake store executes: the published one, as far as the adapter uses it. */
export const schema = buildSchema(sdl);

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** Shopify's scalars that accept only some texts; graphql-js alone would accept any. */
const accepted: Record<string, (value: unknown) => boolean> = {
  DateTime: (value) => typeof value === "string" && instant.test(value) && !Number.isNaN(Date.parse(value)),
  Decimal: (value) => /^-?\d+(\.\d+)?$/.test(String(value)),
};

for (const [name, accepts] of Object.entries(accepted)) {
  const scalar = schema.getType(name) as GraphQLScalarType | undefined;
  if (scalar)
    scalar.coerceInputValue = (value) => {
      if (accepts(value)) return String(value);
      throw new TypeError(`${JSON.stringify(value)} is no ${name}`);
    };
}

function codesOf(name: string): string[] {
  return (schema.getType(name) as GraphQLEnumType).getValues().map((value) => value.name);
}

/** The scopes of which a webhook topic requires one, by the schema's description of it. */
export const scopesOfTopics: ReadonlyMap<string, string[]> = new Map(
  (schema.getType("WebhookSubscriptionTopic") as GraphQLEnumType)
    .getValues()
    .map(({ name, description }) => [name, description?.match(/\b(?:read|write)_\w+/g) ?? []]),
);

/** All codes of failed attempts and refused mutations. */
export const errorCodes = {
  general: codesOf("SubscriptionBillingAttemptGeneralErrorCode"),
  inventory: codesOf("SubscriptionBillingAttemptInventoryErrorCode"),
  payment: codesOf("SubscriptionBillingAttemptPaymentErrorCode"),
  attempt: codesOf("BillingAttemptUserErrorCode"),
  contract: codesOf("SubscriptionDraftErrorCode"),
};
