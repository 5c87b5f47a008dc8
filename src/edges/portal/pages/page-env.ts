import type { Context } from "hono";
import type { PortalLocale, PortalSettings } from "../../../base/accounts/portal-settings.ts";
import type { Account } from "../../../base/accounts/tables.ts";
import type { OpenSession } from "../../../domain/sessions/sessions.ts";
import type { HonoEnv } from "../../../kit/http/document/operation.ts";
import type { BrowserScript } from "../../../stores/port/payment-methods.ts";
import type { Texts } from "./texts/index.ts";

/** A request of a page of a shop's portal. */
export type Visit = {
  c: Context<PageEnv>;
  account: Account;
  settings: PortalSettings;
  /** The path of the shop's portal. */
  base: string;
  locale: PortalLocale;
  texts: Texts;
  session: OpenSession | undefined;
};

export type PageEnv = HonoEnv & {
  Variables: {
    visit?: Visit;
    /** The origins of the pictures on the page. */
    pictureOrigins: Set<string>;
    /** The store's script that the page loads, if it does. */
    foreignScript?: BrowserScript;
    /** The fields that a form has sent. */
    sent: URLSearchParams;
  };
};

/** The context for functions that know less of it. TypeScript compares the variables exactly, because they can be set. */
export function plain(c: Context<PageEnv>): Context<HonoEnv> {
  return c as unknown as Context<HonoEnv>;
}

/** The visit of a page of a shop's portal, which is opened before any of them. */
export function visitOf(c: Context<PageEnv>): Visit {
  return c.get("visit") as Visit;
}
