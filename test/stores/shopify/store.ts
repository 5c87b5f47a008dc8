import { createAttempt, createContract, readAttempt } from "../../../src/stores/shopify/documents.ts";
import { scopesOfTopics } from "../../support/fake-shopify/schema.ts";
import { type FakeShopify, type FakeShopifyOptions, fakeShopify } from "../../support/fake-shopify.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test states what it expects of an answer
export type Json = any;

const everyTopic = [...scopesOfTopics.keys()].map((topic) => ({ topic }));

export const shop = "perennial-test.myshopify.com";

/** A request as the adapter makes it. */
export function requestOf(
  query: string,
  variables: Json = {},
  changed: { token?: string; url?: string } = {},
) {
  return new Request(changed.url ?? `https://${shop}/admin/api/2026-10/graphql.json`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Shopify-Access-Token": changed.token ?? token },
    body: JSON.stringify({ query, variables }),
  });
}

/** A fake store with a customer and a card, and short ways to send requests to it. */
export function openStore(options: Partial<FakeShopifyOptions> = {}) {
  const store: FakeShopify = fakeShopify({ shop, token, ...options });
  store.subscribe("https://perennial.test/webhooks/shopify", everyTopic);
  const customer = store.addCustomer();
  const card = store.addPaymentMethod(customer);
  const ask = async (query: string, variables: Json = {}): Promise<Json> => {
    const response = await store.fetch(requestOf(query, variables));
    return response.json();
  };
  /** The value of the only root field of a document. */
  const answer = async (query: string, variables: Json = {}): Promise<Json> => {
    const { data, errors } = await ask(query, variables);
    if (errors) throw new Error(JSON.stringify(errors));
    return Object.values(data)[0];
  };
  /** The topics of the webhooks since the last call. */
  const topics = async (): Promise<string[]> => (await store.webhooks()).map(({ topic }) => topic);

  /** A contract of 2 × 10.00 with delivery for 4.90; `change` changes its input. */
  const input = (change: (input: Json) => void = () => {}): Json => {
    const policy = { interval: "MONTH", intervalCount: 1 };
    const all = {
      customerId: customer,
      currencyCode: "EUR",
      nextBillingDate: "2026-12-01T00:00:00Z",
      lines: [
        {
          line: {
            productVariantId: "gid://shopify/ProductVariant/41001",
            quantity: 2,
            currentPrice: "10.00",
          },
        },
      ],
      contract: {
        paymentMethodId: card,
        billingPolicy: policy,
        deliveryPolicy: policy,
        deliveryPrice: "4.90",
        deliveryMethod: {
          shipping: { address: { address1: "Invalidenstr. 1", city: "Berlin", countryCode: "DE" } },
        },
        customAttributes: [{ key: "subscription", value: "s-1" }],
      },
    };
    change(all);
    return all;
  };
  const create = async (change?: (input: Json) => void): Promise<Json> =>
    (await ask(createContract, { input: input(change) })).data.subscriptionContractAtomicCreate;
  const contract = async (change?: (input: Json) => void): Promise<string> =>
    (await create(change)).contract.id;
  const bill = async (contractId: string, idempotencyKey: string, rest: Json = {}): Promise<Json> =>
    (await ask(createAttempt, { contract: contractId, attempt: { idempotencyKey, ...rest } })).data
      .subscriptionBillingAttemptCreate;
  const look = async (id: string): Promise<Json> =>
    (await ask(readAttempt, { id })).data.subscriptionBillingAttempt;
  /** Bills with a key, reads the attempt once, and returns its state. */
  const billed = async (contractId: string, key: string): Promise<Json> =>
    (await look((await bill(contractId, key)).subscriptionBillingAttempt.id)).state;
  return { store, customer, card, ask, answer, topics, create, contract, bill, look, billed };
}

const token = "shpat_test";
