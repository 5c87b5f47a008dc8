import { portalSettingsOf } from "../../base/accounts/portal-settings.ts";
import { DomainError, invalid } from "../../base/errors.ts";
import { requireProfile } from "../../domain/profiles/queries.ts";
import { createLink } from "../../domain/sessions/links.ts";
import { endSessionsOf } from "../../domain/sessions/sessions.ts";
import { requireBesides } from "../../kit/http/credentials.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";

const { SessionEnd, SessionLink, SessionRequest } = deferred(() => import("./schemas.ts"));

const path = "/api/portal/sessions";
const common = { tag: "Portal", credentials: "apiKey", resource: "portal" } as const;

export const sessionOperations = [
  operation({
    ...common,
    id: "createPortalSession",
    method: "post",
    path,
    summary: "Make a link that signs a customer in",
    description:
      "For the merchant's server, which knows who its customer is. The link opens the portal once, within 15 minutes. Link and session end with the key. With an admin's token besides, which needs `subscriptions:write`, it is for that admin, who then acts as the customer: the customer's permissions bind, and the history has the admin, with the profile's id in `metadata.on_behalf_of`.",
    idempotent: false,
    body: SessionRequest,
    errors: ["UNKNOWN_PROFILE", "INVALID_STATE"],
    success: { status: 201, description: "The link.", schema: SessionLink },
    secretAnswer: true,
    handler: async ({ c, ctx, body }) => {
      const { claims } = c.get("proven") ?? {};
      const isForAdmin = claims?.actor_type === "admin";
      if (isForAdmin) requireBesides(c, "apiKey", "subscriptions:write");
      if (ctx.limits)
        throw new DomainError(
          "FORBIDDEN",
          "The API key has limits, which a customer's session would not have",
        );
      const settings = portalSettingsOf(ctx.account);
      const { profile_id, return_url = null, locale } = body;
      const returnUrl = return_url === null ? null : new URL(return_url).href;
      if (returnUrl !== null && !isListed(returnUrl, settings.return_urls)) throw newReturnUrlError();
      const profile = await requireProfile(ctx, profile_id);
      if (!settings.is_enabled)
        throw new DomainError("INVALID_STATE", "Cannot make a link: the shop's portal is switched off");
      const standIn = isForAdmin ? { madeBy: claims.staff?.id ?? claims.name ?? null } : undefined;
      const made = { madeByKey: ctx.keyId ?? null, standIn };
      return c.json(
        await createLink(ctx, { profileId: profile.id, returnUrl, locale: locale ?? null, ...made }),
        201,
      );
    },
  }),
  operation({
    ...common,
    id: "endPortalSessions",
    method: "delete",
    path,
    summary: "Sign customers out everywhere",
    description:
      "Ends a customer's sessions, and the links that were not used yet; without `profile_id` those of all customers.",
    unbounded: { parameter: "profile_id", scope: "account:write" },
    query: SessionEnd,
    errors: ["UNKNOWN_PROFILE"],
    success: {
      status: 204,
      description: "The customer has no session; without `profile_id` nobody has one.",
    },
    handler: async ({ ctx, query: { profile_id } }) => {
      if (profile_id !== undefined) await requireProfile(ctx, profile_id);
      await endSessionsOf(ctx, profile_id);
    },
  }),
];

/** A return address has the scheme, host and port of a listed one, and its path or one below it. */
function isListed(address: string, listed: string[]): boolean {
  const { origin, pathname } = new URL(address);
  return listed
    .map((one) => new URL(one))
    .some((one) => one.origin === origin && isAtOrBelow(pathname, one.pathname));
}

function isAtOrBelow(path: string, listed: string): boolean {
  return path === listed || path.startsWith(listed.endsWith("/") ? listed : `${listed}/`);
}

function newReturnUrlError(): DomainError {
  return invalid([{ path: "return_url", message: "must begin with one of the settings' return_urls" }]);
}
