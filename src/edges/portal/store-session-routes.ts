import type { Context } from "hono";
import { portalSettingsOf } from "../../base/accounts/portal-settings.ts";
import { findAccount, findAccountByShop } from "../../base/accounts/queries.ts";
import { DomainError, notFound } from "../../base/errors.ts";
import { openStoreSession } from "../../domain/sessions/store-session.ts";
import { openRequest } from "../../kit/http/credentials.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { type HonoEnv, operation } from "../../kit/http/document/operation.ts";
import { forwardUnproven } from "../../kit/http/forward.ts";
import { provingSessions } from "../../stores/platforms.ts";
import type { SignedInCustomer } from "../../stores/session-tokens.ts";
import { storeSessionsPath } from "./public-cors.ts";

const { StoreSession, StoreSessionRequest } = deferred(() => import("./schemas.ts"));

export const storeSessionOperations = [
  operation({
    id: "createStoreSession",
    method: "post",
    path: storeSessionsPath,
    tag: "Portal",
    credentials: "none",
    summary: "Make a link for a customer who is signed in at the store",
    description:
      "For the store's own pages: the session token that the store gives them is the credential, so no key is sent. The link opens the portal once, within 15 minutes. Five links an hour for a customer; 429 beyond that. 404 for a shop or a customer that is not known, alike.",
    idempotent: false,
    secretAnswer: true,
    body: StoreSessionRequest,
    errors: ["UNAUTHENTICATED", "NOT_FOUND"],
    success: { status: 201, description: "The link.", schema: StoreSession },
    handler: async ({ c, body: { session_token: token } }) => {
      const proven = await prove(c, token);
      if (proven instanceof Response) return proven;
      const made = await openFor(c, proven);
      if (!made) throw notFound("Customer");
      return c.json(made, 201);
    },
  }),
];

/** The customer whom the token proves; or the answer of the shop's object, which keeps the store's credentials. Throws UNAUTHENTICATED. */
async function prove(c: Context<HonoEnv>, token: string): Promise<SignedInCustomer | Response> {
  const [db, env, log, now] = [c.get("db"), c.get("env"), c.get("log"), c.get("now")];
  for (const load of provingSessions) {
    const tokens = await load();
    const shop = tokens.shopIn(token);
    const named = shop === "" ? undefined : await findAccountByShop(db, shop, now.getTime());
    const forwarded = await forwardUnproven(c, named);
    if (forwarded) return forwarded;
    const customer = await tokens.prove({ db, env, token, now, log });
    if (customer) return customer;
  }
  throw new DomainError("UNAUTHENTICATED", "The session token is not valid");
}

async function openFor(c: Context<HonoEnv>, { account_id, store_customer_id }: SignedInCustomer) {
  if (account_id === undefined || store_customer_id === undefined) return undefined;
  const account = await findAccount(c.get("db"), account_id, c.get("now").getTime());
  if (!account || !portalSettingsOf(account).is_enabled) return undefined;
  await openRequest(c, { account, actor: { type: "system", name: null } });
  return openStoreSession(c.get("ctx"), store_customer_id);
}
