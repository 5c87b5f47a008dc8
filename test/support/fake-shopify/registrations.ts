import { connection, type Page } from "./connection.ts";
import { checkedId, globalId } from "./ids.ts";
import { scopesOfTopics } from "./schema.ts";
import type { FakeStore } from "./store.ts";

/** A webhook subscription: a topic, and the address that it is sent to. */
export type Registration = { id: string; topic: string; uri: string; includeFields: string[] };

type RegistrationInput = {
  uri?: string | null;
  callbackUrl?: string | null;
  includeFields?: string[] | null;
};

type Answer = {
  webhookSubscription: Registration | null;
  userErrors: { field: string[]; message: string }[];
};

/** Webhook subscriptions: an event is sent to those of its topic alone. */
export function registrationFields(store: FakeStore) {
  return {
    webhookSubscriptions: ({ query, topics, uri, ...page }: Listed) => {
      if (query || topics || uri) throw new Error("The fake store cannot search webhook subscriptions");
      return connection([...store.registrations.values()], page, (one) => one);
    },
    webhookSubscriptionCreate: (args: { topic: string; webhookSubscription: RegistrationInput }): Answer => {
      const { uri, callbackUrl, includeFields } = args.webhookSubscription;
      return put(store, {
        id: globalId("WebhookSubscription", store.nextNumber("WebhookSubscription")),
        topic: args.topic,
        uri: uri ?? callbackUrl ?? "",
        includeFields: includeFields ?? [],
      });
    },
    webhookSubscriptionUpdate: (args: { id: string; webhookSubscription: RegistrationInput }): Answer => {
      const before = store.registrations.get(checkedId("WebhookSubscription", args.id));
      if (!before) return refused("Webhook subscription could not be found", "id");
      const { uri, callbackUrl, includeFields } = args.webhookSubscription;
      return put(store, {
        ...before,
        uri: uri ?? callbackUrl ?? before.uri,
        includeFields: includeFields ?? before.includeFields,
      });
    },
  };
}

function refused(message: string, ...field: string[]): Answer {
  return {
    webhookSubscription: null,
    userErrors: [{ field, message }],
  };
}

function addressError(store: FakeStore, { id, topic, uri }: Registration): Answer | undefined {
  const at = ["webhookSubscription", "callbackUrl"];
  if (uri === "") return refused("Address can't be blank", ...at);
  if (!uri.startsWith("https://")) return refused("Address protocol is not supported", ...at);
  const taken = [...store.registrations.values()].some(
    (one) => one.id !== id && one.topic === topic && one.uri === uri,
  );
  return taken ? refused("Address for this topic has already been taken", ...at) : undefined;
}

/** Topics whose payloads show customers (launch/protected-customer-data; which topics these are was read in apps' logs). */
const protectedTopics = /^(ORDERS|REFUNDS|FULFILLMENTS|CUSTOMERS)_/;

/**
 * Why the app may not have a topic: it lacks each of the scopes of which the schema's description of the topic requires one, or it is not
 * approved for protected customer data. The texts are those that apps have reported: Shopify/shopify-cli issue 311 for a scope, apps' logs
 * for the data.
 */
function permissionError({ settings }: FakeStore, topic: string): Answer | undefined {
  const granted = new Set(settings.scopes.flatMap((scope) => [scope, scope.replace(/^write_/, "read_")]));
  const needed = scopesOfTopics.get(topic) ?? [];
  if (needed.length > 0 && !needed.some((scope) => granted.has(scope)))
    return refused("You cannot create a webhook subscription with the specified topic", "topic");
  if (settings.showsCustomers || !protectedTopics.test(topic)) return undefined;
  const name = topic.toLowerCase().replace("_", "/");
  const why = `You do not have permission to create or update webhooks with ${name} topic.`;
  return refused(`${why} This topic contains protected customer data.`, "topic");
}

/** Subscribes an address to topics, as an app does when it is set up; without fields a webhook has all of its payload. */
export function subscribe(
  store: FakeStore,
  uri: string,
  topics: { topic: string; fields?: string[] }[],
): void {
  for (const { topic, fields = [] } of topics) {
    const id = globalId("WebhookSubscription", store.nextNumber("WebhookSubscription"));
    const { userErrors } = put(store, { id, topic, uri, includeFields: fields });
    if (userErrors[0]) throw new Error(`${topic}: ${userErrors[0].message}`);
  }
}

/** Stores a registration if it is valid. */
function put(store: FakeStore, registration: Registration): Answer {
  const error = permissionError(store, registration.topic) ?? addressError(store, registration);
  if (error) return error;
  store.registrations.set(registration.id, registration);
  return { webhookSubscription: registration, userErrors: [] };
}

type Listed = Page & { query?: string | null; topics?: string[] | null; uri?: string | null };
