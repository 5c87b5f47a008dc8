import { DomainError } from "../errors.ts";
import type { IntervalUnit } from "../lib/time/intervals.ts";
import type { Account } from "./tables.ts";

export const portalLocales = ["en", "de", "fr", "es"] as const;
export type PortalLocale = (typeof portalLocales)[number];

/** Actions that change the contents of a subscription: a merchant lists what there is before allowing them. */
const contentPermissions = ["can_change_quantity", "can_swap", "can_add", "can_remove"] as const;

/** The actions that a merchant can forbid to customers. */
export const portalPermissions = [
  "can_pause",
  "can_cancel",
  "can_skip",
  "can_reschedule",
  "can_change_frequency",
  "can_change_address",
  "can_change_payment_method",
  "can_ship_now",
  ...contentPermissions,
] as const;
export type PortalPermission = (typeof portalPermissions)[number];

export type OfferedFrequency = { interval: IntervalUnit; interval_count: number };

export type PortalSettings = Record<PortalPermission, boolean> & {
  is_enabled: boolean;
  /** The origin of the portal at a domain of the merchant's own; null: the deployment's. */
  base_url: string | null;
  return_urls: string[];
  logo_url: string | null;
  accent_color: string | null;
  support_email: string | null;
  /** A page of the merchant's own on which customers replace their payment method. */
  update_payment_url: string | null;
  default_locale: PortalLocale;
  /** Empty: those of the account's active plans. */
  frequencies: OfferedFrequency[];
  max_pause_days: number | null;
  /** The quantity of one line that customers may ask for. */
  max_quantity: number;
};

export function portalSettingsOf({ portal }: Pick<Account, "portal">): PortalSettings {
  return { ...defaults, ...(JSON.parse(portal) as Partial<PortalSettings>) };
}

/** Throws FORBIDDEN where the merchant does not let customers do this. */
export function requirePermission({ account, actor }: Caller, permission: PortalPermission): void {
  if (actor.type !== "customer" || portalSettingsOf(account)[permission]) return;
  throw new DomainError("FORBIDDEN", `The shop does not let customers do this (${permission})`);
}

/** The merchant's settings where the caller is a customer, who is bound by them; undefined for anybody else. */
export function customerSettings({ account, actor }: Caller): PortalSettings | undefined {
  return actor.type === "customer" ? portalSettingsOf(account) : undefined;
}

/** The time that customers may pause at most, where they name an end. */
export function longestPauseDays({ max_pause_days }: Pick<PortalSettings, "max_pause_days">): number {
  return max_pause_days ?? 365;
}

/** Everything but changes of the contents, which need a catalogue. */
const permitted = Object.fromEntries(
  portalPermissions.map((name) => [name, !(contentPermissions as readonly string[]).includes(name)]),
);

const defaults: PortalSettings = {
  is_enabled: false,
  base_url: null,
  return_urls: [],
  logo_url: null,
  accent_color: null,
  support_email: null,
  update_payment_url: null,
  default_locale: "en",
  frequencies: [],
  ...(permitted as Record<PortalPermission, boolean>),
  max_pause_days: null,
  max_quantity: 10,
};

/** Who acts, and for which account: the merchant's settings bind customers alone, whatever they act with. */
type Caller = { account: Pick<Account, "portal">; actor: { type: string } };
