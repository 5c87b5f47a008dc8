import { requireRecentSignIn } from "../../kit/http/credentials.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { connectStore, disconnectStore, readStoreConnection } from "./store-connection.ts";

const { ConnectedStoreData, StoreConnectionData, StoreKeys } = deferred(() => import("./store-schemas.ts"));

const common = {
  tag: "Account",
  credentials: "either",
  resource: "account",
  path: "/api/account/store",
} as const;

export const storeOperations = [
  operation({
    ...common,
    id: "getStoreConnection",
    method: "get",
    summary: "Get how the account is connected to its store",
    description:
      "The store, and of an account at Stripe which one that is, and whether Stripe has refused its key since. Keys are not shown.",
    success: { status: 200, description: "The connection.", schema: StoreConnectionData },
    handler: async ({ ctx }) => ({ data: await readStoreConnection(ctx) }),
  }),
  operation({
    ...common,
    id: "connectStore",
    method: "put",
    summary: "Connect the account to Stripe, or replace its keys",
    description:
      "The keys are tried at Stripe, and stored sealed. Another key of the same account at Stripe is taken at any time. An account leaves neither its store nor its account at Stripe while one of its subscriptions is not over, or a billing attempt is open: 409.",
    body: StoreKeys,
    secretBody: true,
    errors: ["INVALID_STATE"],
    success: { status: 200, description: "The account is connected.", schema: ConnectedStoreData },
    handler: async ({ c, ctx, body }) => {
      requireRecentSignIn(c);
      return { data: await connectStore(ctx, body) };
    },
  }),
  operation({
    ...common,
    id: "disconnectStore",
    method: "delete",
    summary: "Disconnect the account from Stripe",
    description:
      "The account is on the sandbox store then, which charges nobody, and its keys are deleted. 409 while one of its subscriptions is not over, or a billing attempt is open. Nothing happens on the sandbox store; a Shopify store is disconnected by uninstalling its app.",
    errors: ["INVALID_STATE"],
    success: { status: 204, description: "The account is on the sandbox store." },
    handler: async ({ c, ctx }) => {
      requireRecentSignIn(c);
      await disconnectStore(ctx);
    },
  }),
];
