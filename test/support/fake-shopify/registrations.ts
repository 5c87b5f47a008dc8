import { connection, type Page } from "./connection.ts";
import { checkedId, globalId } from "./ids.ts";
import type { FakeStore } from "./store.ts";

/** What an app wants to be told of, and where. */
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

const refused = (message: string, ...field: string[]): Answer => ({
  webhookSubscription: null,
  userErrors: [{ field, message }],
});

const addressError = (store: FakeStore, { id, topic, uri }: Registration): Answer | undefined => {
  const at = ["webhookSubscription", "callbackUrl"];
  if (uri === "") return refused("Address can't be blank", ...at);
  if (!uri.startsWith("https://")) return refused("Address protocol is not supported", ...at);
  const taken = [...store.registrations.values()].some(
    (one) => one.id !== id && one.topic === topic && one.uri === uri,
  );
  return taken ? refused("Address for this topic has already been taken", ...at) : undefined;
};

/** Puts a registration in place, where nothing is wrong with it. */
const put = (store: FakeStore, registration: Registration): Answer => {
  const error = addressError(store, registration);
  if (error) return error;
  store.registrations.set(registration.id, registration);
  return { webhookSubscription: registration, userErrors: [] };
};

type Listed = Page & { query?: string | null; topics?: string[] | null; uri?: string | null };

/** Webhook subscriptions; what they are for is emitted whether there is one or not. */
export const registrationFields = (store: FakeStore) => ({
  webhookSubscriptions: ({ query, topics, uri, ...page }: Listed) => {
    if (query || topics || uri) throw new Error("The fake store searches no webhook subscriptions");
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
});
