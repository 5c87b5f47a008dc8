import { GraphQLError, type GraphQLFieldResolver, getNamedType } from "graphql";
import { calculationFields } from "./calculation-fields.ts";
import { codeFields } from "./codes.ts";
import { connection, type Page } from "./connection.ts";
import { contractFields } from "./contract-fields.ts";
import { draftFields } from "./draft-fields.ts";
import { checkedId } from "./ids.ts";
import { customerNode, methodNode } from "./nodes.ts";
import { noticeFields } from "./notices.ts";
import { orderFields } from "./order-fields.ts";
import { planMutations } from "./plan-changes.ts";
import { planFields } from "./plan-nodes.ts";
import { registrationFields } from "./registrations.ts";
import { processRemote, remoteMethodFields } from "./remote-methods.ts";
import { schema } from "./schema.ts";
import { type FakeStore, nextRefusal } from "./store.ts";

/** The root fields of queries and mutations. */
export function rootOf(store: FakeStore): Record<string, unknown> {
  return {
    shop: () => ({
      myshopifyDomain: store.settings.shop,
      currencyCode: store.settings.currency,
      ianaTimezone: store.settings.timezone,
      enabledPresentmentCurrencies: [store.settings.currency, ...store.settings.currencies],
      plan: { partnerDevelopment: store.settings.isDevelopment },
      shopAddress,
    }),
    currentAppInstallation: () => ({
      accessScopes: store.settings.scopes.map((handle) => ({ handle })),
    }),
    customer: ({ id }: { id: string }) => {
      const customer = store.customers.get(checkedId("Customer", id));
      return customer ? customerNode(store, customer) : null;
    },
    customers: (page: Page) =>
      connection([...store.customers.values()], page, (customer) => customerNode(store, customer)),
    customerPaymentMethod: ({ id, showRevoked }: { id: string; showRevoked: boolean }) => {
      const method = store.methods.get(checkedId("CustomerPaymentMethod", id));
      if (method) processRemote(store, method);
      return method && (showRevoked || !method.revokedAt) ? methodNode(store, method) : null;
    },
    ...calculationFields(store),
    ...codeFields(store),
    ...contractFields(store),
    ...draftFields(store),
    ...noticeFields(store),
    ...orderFields(store),
    ...planFields(store),
    ...planMutations(store),
    ...registrationFields(store),
    ...remoteMethodFields(store),
  };
}

/**
 * A field is a property of its object. One that the fake does not have is an error, never null, except in the payload of a
 * refused mutation.
 */
export function fieldOf(store: FakeStore): GraphQLFieldResolver<Record<string, unknown>, unknown> {
  return (source, args, _context, { fieldName, parentType, returnType, path }) => {
    const isDenied = path.prev === undefined && store.denied.has(fieldName);
    if (isDenied || !isGranted(store, getNamedType(returnType).name, fieldName))
      throw new GraphQLError(`Access denied for ${fieldName} field.`, {
        extensions: { code: "ACCESS_DENIED" },
      });
    const hidden = hiddenData(store, parentType.name, getNamedType(returnType).name, fieldName);
    if (hidden) throw new GraphQLError(hidden, { extensions: { code: "ACCESS_DENIED" } });
    const refusal = parentType === schema.getMutationType() ? refusalOf(store, fieldName) : undefined;
    if (refusal) return refusal;
    const value = source[fieldName];
    if (value === undefined && parentType.name.endsWith("Payload")) return null;
    if (value === undefined) throw new Error(`The fake store has no ${parentType.name}.${fieldName}`);
    return typeof value === "function" ? value(args) : value;
  };
}

const shopAddress = {
  address1: "Invalidenstr. 1",
  address2: null,
  city: "Berlin",
  company: null,
  countryCodeV2: "DE",
  provinceCode: null,
  zip: "10115",
};

/**
 * Why an app that is not approved for protected customer data does not get a field, in Shopify's words (launch/protected-customer-data;
 * the texts are those that apps have reported). Level 1 is the customer, level 2 fields of them.
 */
function hiddenData(
  { settings: { showsCustomers, hiddenFields } }: FakeStore,
  parent: string,
  type: string,
  field: string,
): string | undefined {
  const more = "See https://shopify.dev/docs/apps/launch/protected-customer-data for more details.";
  if (!showsCustomers && ["Customer", "CustomerConnection"].includes(type))
    return `This app is not approved to access the Customer object. ${more}`;
  if (parent === "Customer" && hiddenFields.includes(field))
    return `This app is not approved to use the ${field} field. ${more}`;
  return undefined;
}

/** The scopes that reading an object needs, wherever in a document it stands. */
const scopeOf: Record<string, string> = {
  Customer: "read_customers",
  CustomerConnection: "read_customers",
  CustomerPaymentMethod: "read_customer_payment_methods",
  DiscountCodeNode: "read_discounts",
  Order: "read_orders",
  OrderTransactionConnection: "read_orders",
  SellingPlanGroup: "read_products",
  SellingPlanGroupConnection: "read_products",
  SubscriptionBillingCycle: "read_own_subscription_contracts",
  SubscriptionContract: "read_own_subscription_contracts",
  SubscriptionContractConnection: "read_own_subscription_contracts",
};

/** The scopes of mutations whose payload says nothing of them. */
const scopesOfMutation: Record<string, string[]> = {
  customerPaymentMethodRemoteCreate: ["write_customers", "write_customer_payment_methods"],
  customerPaymentMethodSendUpdateEmail: ["write_customers"],
};

function isGranted({ settings }: FakeStore, type: string, field: string): boolean {
  const needed = [scopeOf[type], ...(scopesOfMutation[field] ?? [])].filter((scope) => scope !== undefined);
  return needed.every((scope) => settings.scopes.includes(scope));
}

/** The payload of a mutation that the test wants to be refused. */
function refusalOf(store: FakeStore, mutation: string): object | undefined {
  const code = nextRefusal(store, mutation);
  return code === undefined
    ? undefined
    : { userErrors: [{ code, field: null, message: `Refused: ${code}` }] };
}
