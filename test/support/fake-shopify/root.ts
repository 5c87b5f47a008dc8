import { GraphQLError, type GraphQLFieldResolver } from "graphql";
import { contractFields } from "./contract-fields.ts";
import { draftFields } from "./draft-fields.ts";
import { checkedId } from "./ids.ts";
import { customerNode, methodNode } from "./nodes.ts";
import { orderFields } from "./order-fields.ts";
import { planMutations } from "./plan-changes.ts";
import { planFields } from "./plan-nodes.ts";
import { registrationFields } from "./registrations.ts";
import { schema } from "./schema.ts";
import { type FakeStore, nextRefusal } from "./store.ts";

/** The root fields of queries and mutations. */
export const rootOf = (store: FakeStore): Record<string, unknown> => ({
  shop: () => ({
    myshopifyDomain: store.settings.shop,
    currencyCode: store.settings.currency,
    ianaTimezone: store.settings.timezone,
    plan: { partnerDevelopment: store.settings.isDevelopment },
  }),
  customer: ({ id }: { id: string }) => {
    const customer = store.customers.get(checkedId("Customer", id));
    return customer ? customerNode(store, customer) : null;
  },
  customerPaymentMethod: ({ id, showRevoked }: { id: string; showRevoked: boolean }) => {
    const method = store.methods.get(checkedId("CustomerPaymentMethod", id));
    return method && (showRevoked || !method.revokedAt) ? methodNode(store, method) : null;
  },
  ...contractFields(store),
  ...draftFields(store),
  ...orderFields(store),
  ...planFields(store),
  ...planMutations(store),
  ...registrationFields(store),
});

/** The payload of a mutation that the test wants to be refused. */
const refusalOf = (store: FakeStore, mutation: string): object | undefined => {
  const code = nextRefusal(store, mutation);
  return code === undefined
    ? undefined
    : { userErrors: [{ code, field: null, message: `Refused: ${code}` }] };
};

/**
 * A field is a property of its object. One that the fake does not have is an error, never null, except in the payload of a
 * refused mutation.
 */
export const fieldOf =
  (store: FakeStore): GraphQLFieldResolver<Record<string, unknown>, unknown> =>
  (source, args, _context, { fieldName, parentType, path }) => {
    if (path.prev === undefined && store.denied.has(fieldName))
      throw new GraphQLError(`Access denied for ${fieldName} field.`, {
        extensions: { code: "ACCESS_DENIED" },
      });
    const refusal = parentType === schema.getMutationType() ? refusalOf(store, fieldName) : undefined;
    if (refusal) return refusal;
    const value = source[fieldName];
    if (value === undefined && parentType.name.endsWith("Payload")) return null;
    if (value === undefined) throw new Error(`The fake store has no ${parentType.name}.${fieldName}`);
    return typeof value === "function" ? value(args) : value;
  };
