import { portalSettingsOf } from "../../base/accounts/portal-settings.ts";
import { DomainError, invalid } from "../../base/errors.ts";
import { requireProfile } from "../../domain/profiles/queries.ts";
import { createLink } from "../../domain/sessions/links.ts";
import { endSessionsOf } from "../../domain/sessions/sessions.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/operation.ts";

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
      "For the merchant's server, which knows who its customer is. The link opens the portal once, within 15 minutes.",
    idempotent: false,
    body: SessionRequest,
    errors: ["UNKNOWN_PROFILE", "INVALID_STATE"],
    success: { status: 201, description: "The link.", schema: SessionLink },
    secretAnswer: true,
    handler: async ({ c, ctx, body }) => {
      const settings = portalSettingsOf(ctx.account);
      const { profile_id, return_url: returnUrl, locale } = body;
      if (returnUrl !== undefined && !isListed(returnUrl, settings.return_urls)) throw newReturnUrlError();
      const profile = await requireProfile(ctx, profile_id);
      if (!settings.is_enabled)
        throw new DomainError("INVALID_STATE", "Cannot make a link: the shop's portal is switched off");
      const link = { profileId: profile.id, returnUrl: returnUrl ?? null, locale: locale ?? null };
      return c.json(await createLink(ctx, link), 201);
    },
  }),
  operation({
    ...common,
    id: "endPortalSessions",
    method: "delete",
    path,
    summary: "Sign a customer out everywhere",
    description: "Ends the customer's sessions, and the links that were not used yet.",
    query: SessionEnd,
    success: { status: 204, description: "The customer has no session." },
    handler: ({ ctx, query }) => endSessionsOf(ctx.db, { account: ctx.account, profileId: query.profile_id }),
  }),
];

/** A return address has the scheme, host and port of a listed one, and begins with its path. */
function isListed(address: string, listed: string[]): boolean {
  const { origin, pathname } = new URL(address);
  return listed
    .map((one) => new URL(one))
    .some((one) => one.origin === origin && pathname.startsWith(one.pathname));
}

function newReturnUrlError(): DomainError {
  return invalid([{ path: "return_url", message: "must begin with one of the settings' return_urls" }]);
}
