import { portalSettingsOf } from "../../../base/accounts/portal-settings.ts";
import type { Account } from "../../../base/accounts/tables.ts";

/** The app is refused without these scopes. */
export const requiredScopes = [
  "read_own_subscription_contracts",
  "write_own_subscription_contracts",
  "read_customer_payment_methods",
  "read_customers",
  "read_orders",
  "read_products",
  "write_products",
  "read_discounts",
];

/** Without these scopes some webhooks cannot be registered, which is a warning. */
export const optionalScopes = ["read_fulfillments", "read_returns", "read_customer_merge"];

/** The further scopes by which the app takes over payment methods that a payment provider keeps, while subscriptions are moved in. */
export const remoteMethodScopes = ["write_customers", "write_customer_payment_methods"];

/** The further scope that the app needs where customers are e-mailed (the account's setting `notify_payment_update`). */
export const emailScope = "write_customers";

/** The scopes that the app needs for an account with these settings. */
export function scopesFor({ notify_payment_update }: Pick<Account, "notify_payment_update">): string[] {
  return notify_payment_update === 1 ? [...requiredScopes, emailScope] : requiredScopes;
}

/** The scopes that the app asks for. In a portal customers ask for these e-mails themselves. */
export function scopesToAskFor(account: Pick<Account, "notify_payment_update" | "portal">): string[] {
  const { is_enabled, can_change_payment_method } = portalSettingsOf(account);
  const forPortal = is_enabled && can_change_payment_method ? [emailScope] : [];
  return [...new Set([...scopesFor(account), ...optionalScopes, ...forPortal])];
}

/** Whether it is not known that the app may not e-mail customers. */
export function mayEmail({ store_missing_scopes }: Pick<Account, "store_missing_scopes">): boolean {
  return !(JSON.parse(store_missing_scopes ?? "[]") as string[]).includes(emailScope);
}

/** The scopes that an app needs and has not been granted. Whoever may write may read as well. */
export function missingScopes(needed: string[], granted: string[]): string[] {
  const has = new Set(granted.flatMap((scope) => [scope, scope.replace(/^write_/, "read_")]));
  return needed.filter((scope) => !has.has(scope));
}
