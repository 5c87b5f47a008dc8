import { portalSettingsOf } from "../../base/accounts/portal-settings.ts";
import type { Instant } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";
import { headersOf } from "./headers.ts";
import { openSender } from "./open-sender.ts";
import { findMailEndpoint, providerOf } from "./queries.ts";
import { clean } from "./render/clean.ts";
import { toHtml } from "./render/html.ts";
import type { Letter } from "./render/letter.ts";
import { toText } from "./render/text.ts";
import { viewOf } from "./render/view.ts";
import { mailSettingsOf } from "./settings.ts";

/** Whether the account has a mail provider that is enabled and sends; the log of a local server sends nothing. */
export async function hasMailProvider(ctx: Ctx): Promise<boolean> {
  const endpoint = await findMailEndpoint(ctx);
  return endpoint?.is_enabled === 1 && !["none", "log"].includes(providerOf(endpoint));
}

type StaffMail = Pick<Letter, "subject" | "intro" | "button" | "closing" | "because"> & {
  to: string;
  /** Names the mail in all its tries. */
  key: string;
  at: Instant;
};

/** Mails a member of staff at once, by the account's own provider. Such mails sign somebody in, so that no log keeps them. */
export async function sendToStaff(ctx: Ctx, { to, key, at, ...words }: StaffMail): Promise<void> {
  const endpoint = await findMailEndpoint(ctx);
  if (!endpoint) throw new Error("The account has no mail endpoint");
  const settings = mailSettingsOf(ctx.account, endpoint);
  const { support_email, logo_url, accent_color } = portalSettingsOf(ctx.account);
  const look = clean({
    locale: "en" as const,
    shop_name: ctx.account.name,
    ...{ support_email, logo_url, accent_color, template: null, portal_url: null },
    postal_address: settings.postal_address,
  });
  const letter: Letter = { sums: [], facts: [], pictures: [], ...clean(words) };
  const view = viewOf(look, { first_name: null, timezone: ctx.account.timezone });
  const sender = await openSender(ctx, settings.provider, endpoint);
  const body = { html: toHtml(letter, view, look), text: toText(letter, view, look) };
  await sender.send({ ...headersOf(settings, { to, subject: letter.subject }), ...body, key, at });
}
