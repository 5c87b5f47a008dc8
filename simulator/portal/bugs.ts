import { emailKey } from "../../src/base/lib/email-address.ts";
import { later } from "../../src/base/lib/time/dates.ts";
import { hourMs } from "../../src/base/lib/time/durations.ts";
import { findProfilesByEmail } from "../../src/domain/profiles/queries.ts";
import { spendLink } from "../../src/domain/sessions/links.ts";
import { createLinkForLogin } from "../../src/domain/sessions/login.ts";
import { endSession, endSessionsOf, findSession } from "../../src/domain/sessions/sessions.ts";
import { openSystemCtx } from "../../src/edges/portal/pages/page-ctx.ts";
import { login } from "../../src/edges/portal/pages/sign-in/sign-in-routes.ts";
import { createRecord } from "../../src/kit/journal/write.ts";
import { replace, type SeededBug } from "../seeded-bug.ts";

/** A request for a link is recorded, whatever was recorded before. */
const withoutGuard = replace(createRecord, (original) => (ctx, entries, writes, updates) => {
  const isLogin = entries[0]?.action === "portal_login_requested";
  return original(ctx, entries, isLogin ? [] : writes, updates);
});

/** Bugs in how customers sign in. */
export const portalBugs: SeededBug[] = [
  bug({
    name: "a link opens twice",
    what: "two people sign in by one link",
    rule: "a link opens one session",
    replaces: [
      replace(spendLink, (original) => async (ctx, token) => {
        const session = { secret: token, profile_id: "", locale: null, on_behalf_of: null };
        return (await original(ctx, token)) ?? session;
      }),
    ],
  }),
  bug({
    name: "a link opens for an hour more",
    what: "somebody finds an old e-mail",
    rule: "a link opens nothing once it is over",
    replaces: [
      replace(
        spendLink,
        (original) => (ctx, token) => original({ ...ctx, realNow: later(ctx.realNow, -hourMs) }, token),
      ),
    ],
  }),
  bug({
    name: "links outlive the end of all sessions",
    what: "a customer who was signed out everywhere is signed in by a link from before",
    rule: "a link opens nothing once it is over",
    replaces: [replace(endSessionsOf, () => async () => {})],
  }),
  bug({
    name: "a link opens nothing",
    what: "customers who open their link are told that it is over",
    rule: "a link that was asked for opens the portal",
    replaces: [replace(spendLink, () => async () => undefined)],
  }),
  bug({
    name: "a link without its address",
    what: "the mailer is told of a link, and not where it leads",
    rule: "a mailer is sent links",
    replaces: [
      replace(createLinkForLogin, (original) => async (...asked) => {
        const link = await original(...asked);
        return link && { ...link, url: "" };
      }),
    ],
  }),
  bug({
    name: "strangers are told that they are",
    what: "the page says of an address that nobody has it",
    rule: "no answer tells whose address is known",
    replaces: [
      replace(login, (original) => async (c) => {
        const email = emailKey(c.get("sent").get("email") ?? "");
        const known = await findProfilesByEmail(await openSystemCtx(c), [email]);
        return known.size > 0 ? original(c) : c.html("nobody has this address");
      }),
    ],
  }),
  bug({
    name: "a sign-in is told twice",
    what: "the queue delivers the request for a link twice",
    rule: "a request for a link is told once",
    replaces: [withoutGuard],
  }),
  bug({
    name: "links without a limit",
    what: "whoever asks again and again fills a customer's mailbox",
    rule: "links an hour are bounded",
    replaces: [withoutGuard],
  }),
  bug({
    name: "a session is over after an hour",
    what: "a customer has to sign in again and again",
    rule: "a session lasts until it is ended",
    replaces: [
      replace(
        findSession,
        (original) => (where, by) => original(where, { ...by, now: later(by.now, 11 * hourMs) }),
      ),
    ],
  }),
  bug({
    name: "a sign-out ends nothing",
    what: "whoever has the cookie comes back after it",
    rule: "a session that was ended opens nothing",
    replaces: [replace(endSession, () => async () => {})],
  }),
];

function bug(stated: SeededBug): SeededBug {
  return { ...stated, beside: "links" };
}
