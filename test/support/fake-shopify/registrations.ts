import { connection, type Page } from "./connection.ts";
import { checkedId, globalId } from "./ids.ts";
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

/** Webhook subscriptions. The fake store emits every topic, whether there is a subscription or not. */
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

/** Stores a registration if it is valid. */
function put(store: FakeStore, registration: Registration): Answer {
  const error = addressError(store, registration);
  if (error) return error;
  store.registrations.set(registration.id, registration);
  return { webhookSubscription: registration, userErrors: [] };
}

type Listed = Page & { query?: string | null; topics?: string[] | null; uri?: string | null };
