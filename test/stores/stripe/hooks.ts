import { forgetAccount, readAccount } from "../../../src/base/accounts/queries.ts";
import { connectStripe } from "../../../src/stores/stripe/connect.ts";
import { nobody } from "../../support/client.ts";
import { select, testDb } from "../../support/database.ts";
import type { Delivery } from "../../support/fake-stripe.ts";
import type { Json } from "../../support/shops.ts";
import { accountOnStripe, type ConnectedAccount, credentialsKey, keys } from "./account.ts";

export type HookedAccount = ConnectedAccount & { path: string; endpoint: string };

/** An account at Stripe whose webhook endpoint was made by hand. */
export async function hookedAccount(): Promise<HookedAccount> {
  const account = await accountOnStripe({ random: Math.random });
  const { id } = account.merchant.of.account;
  const path = `/webhooks/stripe/${id}`;
  const { endpoint, secret } = account.stripe.addEndpoint(`https://perennial.test${path}`);
  await connectWith(account, { webhook_secret: secret });
  return { ...account, path, endpoint: endpoint.id };
}

export async function connectWith(
  { merchant }: Pick<ConnectedAccount, "merchant">,
  more: { webhook_secret: string },
): Promise<void> {
  const db = testDb(merchant.of.account);
  const account = (await readAccount(db, merchant.of.account.id))!;
  await connectStripe(db, credentialsKey, account, { ...keys, ...more }, new Date().toISOString());
  forgetAccount(account.id);
}

/** Sends a request as Stripe has signed it, to another path or with other headers if given. */
export async function receive(
  { worker, path }: Pick<HookedAccount, "worker" | "path">,
  request: Request,
  { to = path, headers = {} }: { to?: string; headers?: Record<string, string> } = {},
) {
  const raw = await request.clone().text();
  return worker.call<Json>(nobody, "POST", to, {
    raw,
    headers: { ...Object.fromEntries(request.headers), ...headers },
  });
}

/** Everything that Stripe has to say since the last call arrives, and what follows from it is done. */
export async function arrive(account: HookedAccount, delivery?: Delivery): Promise<void> {
  for (const request of await account.stripe.takeWebhooks(delivery)) {
    const { status, text } = await receive(account, request);
    if (status !== 200) throw new Error(text);
  }
  await account.worker.drain();
}

export function deliveriesOf({ merchant }: Pick<ConnectedAccount, "merchant">): Promise<Json[]> {
  return select(
    "SELECT d.* FROM webhook_deliveries AS d JOIN accounts AS a ON a.seq = d.account_seq WHERE a.id = ? ORDER BY received_at, webhook_id",
    merchant.of.account.id,
  );
}
