import type { Env } from "../env.ts";
import { portalSettingsOf } from "./portal-settings.ts";
import type { Account } from "./tables.ts";

type Addressed = { env: Pick<Env, "PUBLIC_URL">; account: Pick<Account, "portal" | "shop"> };

/** The address of a shop's portal, `https://…/portal/shop.example`. It is never made of the Host that a request names. */
export function portalUrlOf({ env, account }: Addressed): string {
  return `${portalOriginOf({ env, account })}/portal/${account.shop}`;
}

/** The address of a shop's portal: at the merchant's own domain, if the settings name one, else at the deployment's. */
export function portalOriginOf({ env, account }: Addressed): string {
  return portalSettingsOf(account).base_url ?? env.PUBLIC_URL;
}

/** The origins under which the deployment answers to customers of an account. */
export function ownOriginsOf({ env, account }: Addressed): string[] {
  return [env.PUBLIC_URL, portalOriginOf({ env, account })];
}
