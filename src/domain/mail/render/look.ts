import type { PortalLocale } from "../../../base/accounts/portal-settings.ts";
import type { MailTemplate } from "../template-rules.ts";

/** The shop's side of a mail: its language, its name and colours, and its own words. */
export type Look = {
  locale: PortalLocale;
  shop_name: string;
  support_email: string | null;
  /** Shown if it is an https address. */
  logo_url: string | null;
  /** A colour as #rrggbb. */
  accent_color: string | null;
  postal_address: string | null;
  /** The address of the shop's portal, whose pages of leaving are there also while it is off; null in mails to staff. */
  portal_url: string | null;
  /** Null: the texts of this project. */
  template: MailTemplate | null;
};
