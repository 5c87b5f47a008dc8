import { portalUrlOf } from "../../base/accounts/portal-address.ts";
import { type PortalLocale, portalLocales, portalSettingsOf } from "../../base/accounts/portal-settings.ts";
import { sideBySide } from "../../base/db/wrapped/side-by-side.ts";
import { emailKey } from "../../base/lib/email-address.ts";
import { shorten } from "../../base/lib/text.ts";
import { pictureUrl } from "../../base/pictures.ts";
import type { Ctx } from "../../kit/context.ts";
import { parseStored } from "../../kit/journal/stored-json.ts";
import type { EventRow } from "../events/queries.ts";
import { findProfile, findProfilesByEmail } from "../profiles/queries.ts";
import { erasedEmail } from "../profiles/rules.ts";
import type { Profile } from "../profiles/tables.ts";
import { findPictures } from "./facts/pictures.ts";
import { exampleOf } from "./facts/sample.ts";
import { SilenceError } from "./facts/silence.ts";
import { type AnyMail, kindNamed, kindOf, type MailKind, testMailType } from "./kinds.ts";
import { findTemplate } from "./queries.ts";
import { renderMail, subjectMax } from "./render/mail.ts";
import type { MailSettings } from "./settings.ts";
import type { Mail } from "./tables.ts";

/** A mail in words. */
export type Composed = { to: string; subject: string; html: string; text: string };

type Composition = {
  mail: Pick<Mail, "profile_id" | "event_type" | "recipient">;
  event: EventRow | undefined;
  settings: MailSettings;
};

/**
 * Composes the mail that an event becomes, of its records as they are now: an erasure reaches what was not sent yet. Throws SilenceError
 * where nobody is to be written to.
 */
export async function composeMail(ctx: Ctx, { mail, event, settings }: Composition): Promise<Composed> {
  if (mail.event_type === testMailType) return composeTest(ctx, mail.recipient ?? "", settings);
  const kind = kindOf(mail.event_type);
  if (!event || !kind) throw new SilenceError("no_customer");
  if (!settings.kinds[kind.name].is_enabled) throw new SilenceError("kind_disabled");
  const recipient = await kind.readRecipient?.(ctx, event);
  const profile = await findRecipient(ctx, mail, recipient);
  const to = recipient ?? profile?.email;
  if (to === undefined) throw new SilenceError("no_customer");
  if (profile?.email_status === "suppressed") throw new SilenceError("address_suppressed");
  const isEnabled = ({ name }: { name: string }) => settings.kinds[name as MailKind].is_enabled;
  const facts = await kind.prepare(ctx, event, { profile: profile ?? { first_name: null }, isEnabled });
  const known = { kind: kind.name, facts } as AnyMail;
  const words = await putIntoWords(ctx, { known, settings, locale: localeOf(ctx, profile, event) });
  return { to, ...words };
}

/** The customer of the event, or of an address that somebody has typed. One that is erased is nobody. */
async function findRecipient(
  ctx: Ctx,
  { profile_id }: Composition["mail"],
  typed: string | undefined,
): Promise<Profile | undefined> {
  if (typed !== undefined) return (await findProfilesByEmail(ctx, [emailKey(typed)])).get(emailKey(typed));
  const profile = profile_id === null ? undefined : await findProfile(ctx, profile_id);
  return profile?.email === erasedEmail(profile?.id ?? "") ? undefined : profile;
}

/** An example of the mail that matters most, marked as a test. */
async function composeTest(ctx: Ctx, to: string, settings: MailSettings): Promise<Composed> {
  const locale = portalSettingsOf(ctx.account).default_locale;
  const words = await putIntoWords(ctx, { known: sampleMail(ctx, "upcoming_charge"), settings, locale });
  return { to, ...words, subject: shorten(`[Test] ${words.subject}`, subjectMax) };
}

type Known = { known: AnyMail; settings: MailSettings; locale: PortalLocale };

/** An example of a mail of a kind, of a subscription that nobody has. */
export function sampleMail(ctx: Ctx, kind: MailKind): AnyMail {
  return { kind, facts: kindNamed(kind).sample(exampleOf(ctx), ctx) } as AnyMail;
}

/** Renders a mail of these facts in a language, with the merchant's words where there are some. */
export async function putIntoWords(
  ctx: Ctx,
  { known: { kind, facts }, settings, locale }: Known,
): Promise<Omit<Composed, "to">> {
  const { support_email, logo_url, accent_color } = portalSettingsOf(ctx.account);
  const [template, pictures] = await sideBySide(ctx.db, [
    (db) => findTemplate({ ...ctx, db }, kind, locale),
    (db) => findPictures({ ...ctx, db }, facts),
  ]);
  return renderMail(kind, { ...facts, ...(pictures.length > 0 ? { pictures } : {}) } as never, {
    locale,
    shop_name: ctx.account.name,
    support_email,
    logo_url: pictureUrl(ctx, logo_url),
    accent_color,
    postal_address: settings.postal_address,
    template: template ?? null,
    portal_url: portalUrlOf(ctx),
  });
}

/** The language of the page on which a link was asked for, else the customer's, else the shop's. */
function localeOf(ctx: Ctx, profile: Profile | undefined, { metadata }: EventRow): PortalLocale {
  const asked = parseStored(metadata)?.locale;
  const known = portalLocales.find((one) => one === asked);
  return known ?? profile?.locale ?? portalSettingsOf(ctx.account).default_locale;
}
