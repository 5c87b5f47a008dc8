import { StripeError } from "./errors.ts";
import type { Params } from "./form.ts";
import type { Route } from "./routes.ts";
import type { FakeAccount } from "./store.ts";

/**
 * Refuses a request without a key, with one of nobody, or with one that may not do this (docs.stripe.com/keys; the texts: logs of public
 * apps). A key is the bearer token, or the name of basic authentication (docs.stripe.com/api/authentication). A publishable key may ask for
 * the intent whose client secret it shows.
 */
export function authorize(
  account: FakeAccount,
  request: Request,
  route: Route | undefined,
  params: Params,
): void {
  const { settings } = account;
  const key = keyOf(request) ?? (typeof params.key === "string" ? params.key : undefined);
  if (!key)
    throw refusal(
      401,
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/.",
    );
  if (key === settings.publishableKey) {
    if (route?.isPublic && params.client_secret !== undefined) return;
    throw refusal(
      403,
      "This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.",
      "secret_key_required",
    );
  }
  if (!settings.secretKeys.includes(key)) throw refusal(401, `Invalid API Key provided: ${masked(key)}`);
  // The code of a missing permission is a guess.
  if (key.startsWith("rk_") && route && settings.refusedPermissions.has(route.operation))
    throw refusal(
      403,
      `The provided key '${masked(key)}' does not have the required permissions for this endpoint on account '${settings.accountId}'.`,
      "more_permissions_required_for_application",
    );
  refuseVersion(request.headers.get("Stripe-Version"));
  refuseRestricted(settings, route);
}

/** Stripe has restricted the account, or never activated it (docs.stripe.com/error-codes; which requests it refuses, and by what status: guess). */
function refuseRestricted({ restriction }: FakeAccount["settings"], route: Route | undefined): void {
  if (!restriction || (restriction.operations && !restriction.operations.includes(route?.operation ?? "")))
    return;
  throw refusal(restriction.status, "The account cannot do this at the moment.", restriction.code);
}

function keyOf(request: Request): string | undefined {
  const [, scheme = "", value = ""] = /^(\w+) (\S+)$/.exec(request.headers.get("Authorization") ?? "") ?? [];
  if (scheme === "Bearer") return value;
  if (scheme === "Basic") return atob(value).split(":")[0];
  return undefined;
}

function masked(key: string): string {
  return `${key.slice(0, 8)}${"*".repeat(Math.max(0, key.length - 12))}${key.slice(-4)}`;
}

/** A version is a date, with a name since 2024-09-30.acacia (docs.stripe.com/api/versioning). */
function refuseVersion(version: string | null): void {
  if (version !== null && !/^\d{4}-\d\d-\d\d(\.[a-z]+)?$/.test(version))
    throw refusal(400, `Invalid Stripe API version: ${version}.`);
}

function refusal(status: number, message: string, code?: string): StripeError {
  return new StripeError(
    status,
    { type: "invalid_request_error", message, ...(code ? { code } : {}) },
    { isBefore: true },
  );
}
