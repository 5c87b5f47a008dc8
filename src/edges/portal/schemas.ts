import { z } from "@hono/zod-openapi";
import { portalPermissions } from "../../base/accounts/portal-settings.ts";
import { demoId, demoShop } from "../../base/demo.ts";
import { findPublicUrlFault, isPublicName, outwardUrl } from "../../base/lib/public-host.ts";
import { email, ProfileUpdate } from "../../domain/profiles/schemas.ts";
import { named } from "../../kit/http/document/describe.ts";
import { countWithinUnit } from "../../kit/http/document/field-rules.ts";
import { httpsUrl, pictureUrl } from "../../kit/http/document/https-url.ts";
import { intervalIn } from "../../kit/http/document/interval.ts";
import {
  dateOut,
  idIn,
  instant,
  intervalUnitOut,
  localeName,
  maxText,
  nullableText,
  orNull,
} from "../../kit/http/document/params.ts";

const baseUrlText =
  "The origin of the portal at a domain of the merchant's own, which the operator has bound to this deployment: links, mails and the portal's pages are there. Null: the deployment's own address.";
const baseUrlExample = "https://account.example.com";

const maxOrigin = 200;
const originPattern = `${outwardUrl}([a-z0-9]{1,20}(-[a-z0-9]{1,20}){0,2}\\.){1,3}[a-z]{2,20}(:8443)?$`;

const updatePaymentText =
  "The https address of a page of the merchant's own on which customers replace their payment method, under a public DNS name. The portal leads there with the query parameters `subscription_id` and `profile_id`, beside those that the address has. Null: there is none.";
const updatePaymentExample = "https://shop.example.com/account/payment";
const updatePaymentPattern = `${outwardUrl}([a-z0-9]{1,20}(-[a-z0-9]{1,20}){0,2}\\.){1,3}[a-z]{2,20}/[A-Za-z0-9/_.-]*$`;

/** An address under a public name. */
const publicHttpsUrl = httpsUrl
  .refine(
    (text) => !URL.canParse(text) || isPublicName(new URL(text).hostname),
    "must have a public host name",
  )
  .openapi({ pattern: updatePaymentPattern });

/** An origin under a public name, at a port that a browser reaches the platform by. */
const portalOrigin = z
  .string()
  .max(maxOrigin)
  .superRefine((text, { addIssue }) => {
    const fault = findPortalOriginFault(text);
    if (fault !== undefined) addIssue(fault);
  })
  .openapi({ pattern: originPattern, maxLength: maxOrigin });

function findPortalOriginFault(text: string): string | undefined {
  if (findPublicUrlFault(text) !== undefined || !text.startsWith("https://"))
    return "must be an https origin without path, such as https://account.example.com";
  const { hostname, port } = new URL(text);
  if (!isPublicName(hostname)) return "must have a public host name";
  return ["", "8443"].includes(port) ? undefined : "must have port 443 or 8443";
}

const permissions = {
  can_pause: "Whether customers may pause. They may always resume.",
  can_cancel: "Whether customers may cancel. They may always reactivate.",
  can_skip: "Whether customers may skip, and undo a skip.",
  can_reschedule: "Whether customers may move the next delivery.",
  can_change_frequency: "Whether customers may change how often it is delivered.",
  can_change_address: "Whether customers may change where a subscription is delivered.",
  can_change_payment_method: "Whether customers may switch the payment method.",
  can_ship_now: "Whether customers may have the next delivery charged and sent at once.",
  can_change_quantity:
    "Whether customers may change how many of a line they get, up to max_quantity. False by default.",
  can_swap: "Whether customers may swap a line for another item of the catalogue. False by default.",
  can_add: "Whether customers may add items of the catalogue. False by default.",
  can_remove: "Whether customers may remove a line; the last one stays. False by default.",
} as const satisfies Record<(typeof portalPermissions)[number], string>;

const permissionFields = Object.fromEntries(
  portalPermissions.map((name) => [name, z.boolean().openapi({ description: permissions[name] })]),
) as Record<(typeof portalPermissions)[number], z.ZodBoolean>;

const frequencyText =
  "How often customers may have it delivered. Empty in the settings: as often as the account's active plans bill.";

const Frequency = z
  .strictObject({
    interval: intervalUnitOut,
    interval_count: z
      .int()
      .openapi({ description: "How many of the unit lie between two deliveries.", example: 2 }),
  })
  .openapi("OfferedFrequency", { example: { interval: "WEEK", interval_count: 2 } });

const FrequencyIn = named(
  "OfferedFrequencyIn",
  intervalIn,
  {
    interval: "The unit of the interval.",
    interval_count: ["How many of the unit lie between two deliveries.", 2],
  },
  {
    dependentSchemas: countWithinUnit("interval", "interval_count"),
    example: { interval: "WEEK", interval_count: 2 },
  },
);

const logoText = "The address of the shop's logo, shown at the top of each page. Null: the shop's name.";
const colorText =
  "The shop's colour, `#` and six hexadecimal digits. Pages darken or lighten it until text on it can be read. Null: a neutral one.";
const supportText = "Where customers are told to write for help. Null: nowhere.";
const pauseText =
  "How many days customers may pause at most; they must then name the day. Whatever they move, their next delivery lies at most that many days and one delivery interval ahead. Null: 365 days, and they may pause without an end.";

const quantityText =
  "How many of one line customers may ask for at most, from 1 to 1,000. 10 by default. What the merchant has set higher stays.";

const color = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/, "must be # and six hexadecimal digits")
  .openapi({ description: colorText, example: "#0a6c4b" });

const logoExample = "https://cdn.example.com/logo.svg";
const supportExample = "help@example.com";
const returnExample = ["https://shop.example.com/account"];

const looks = {
  logo_url: z.string().nullable().openapi({ description: logoText, example: logoExample }),
  accent_color: z.string().nullable().openapi({ description: colorText, example: "#0a6c4b" }),
  support_email: z.string().nullable().openapi({ description: supportText, example: supportExample }),
  update_payment_url: z
    .string()
    .nullable()
    .openapi({ description: updatePaymentText, example: updatePaymentExample }),
  default_locale: localeName,
};

const returnText =
  "Where a link may lead back to: the scheme, host and port of one of these, and a path that begins with its path.";

const PortalSettingsBody = z
  .strictObject({
    is_enabled: z.boolean().openapi({ description: "Whether there is a portal. False for a new account." }),
    base_url: z.string().nullable().openapi({ description: baseUrlText, example: baseUrlExample }),
    return_urls: z.array(z.string()).openapi({ description: returnText, example: returnExample }),
    ...looks,
    frequencies: z.array(Frequency).openapi({ description: frequencyText }),
    ...permissionFields,
    max_pause_days: z.int().nullable().openapi({ description: pauseText, example: 90 }),
    max_quantity: z.int().openapi({ description: quantityText, example: 10 }),
  })
  .openapi("PortalSettings");

export const PortalSettingsData = named("PortalSettingsData", z.strictObject({ data: PortalSettingsBody }), {
  data: "The settings.",
});

export const PortalSettingsUpdate = z
  .strictObject({
    is_enabled: z.boolean().openapi({ description: "Whether there is a portal." }),
    base_url: orNull(portalOrigin).openapi({ description: baseUrlText, example: baseUrlExample }),
    return_urls: z.array(httpsUrl).max(20).openapi({ description: returnText, example: returnExample }),
    logo_url: orNull(pictureUrl).openapi({ description: logoText, example: logoExample }),
    accent_color: orNull(color).openapi({ description: colorText, example: "#0a6c4b" }),
    support_email: orNull(email).openapi({ description: supportText, example: supportExample }),
    update_payment_url: orNull(publicHttpsUrl).openapi({
      description: updatePaymentText,
      example: updatePaymentExample,
    }),
    default_locale: localeName,
    frequencies: z.array(FrequencyIn).max(20).openapi({ description: frequencyText }),
    ...permissionFields,
    max_pause_days: z.int().min(1).max(730).nullable().openapi({ description: pauseText, example: 90 }),
    max_quantity: z.int().min(1).max(1_000).openapi({ description: quantityText, example: 10 }),
  })
  .partial()
  .openapi("PortalSettingsUpdate", { example: { is_enabled: true, accent_color: "#0a6c4b" } });

/** The facts about a shop that its customers are told. */
export const ShopBody = z
  .strictObject({
    name: z.string().openapi({ description: "The shop's name.", example: "Demo Store" }),
    shop: z.string().openapi({ description: "The shop's domain.", example: demoShop }),
    timezone: z.string().openapi({
      description: "The IANA time zone of all calendar dates.",
      example: "America/New_York",
    }),
    currency_code: z
      .string()
      .openapi({ description: "The ISO 4217 code of amounts that have none of their own.", example: "USD" }),
    ...looks,
    frequencies: z
      .array(Frequency)
      .openapi({ description: "How often customers may have it delivered. Others are refused." }),
    ...permissionFields,
    max_pause_days: z.int().nullable().openapi({ description: pauseText, example: 90 }),
    max_quantity: z.int().openapi({ description: quantityText, example: 10 }),
    leave_url: z.string().openapi({
      description:
        "The page on which anybody cancels without signing in, for the foot of the shop's own pages. It is there also while the portal is off, and leads to the portal's own domain.",
      example: `https://api.example.com/portal/${demoShop}/leave`,
    }),
    withdraw_url: z.string().openapi({
      description: "The page on which anybody withdraws from a contract without signing in.",
      example: `https://api.example.com/portal/${demoShop}/withdraw`,
    }),
    offers_on_cancellation: z.boolean().openapi({
      description:
        "Whether the shop may offer something else to customers who are about to cancel: openCancellation then says what.",
      example: true,
    }),
  })
  .openapi("PortalShop");

export const ShopData = named("PortalShopData", z.strictObject({ data: ShopBody }), {
  data: "The shop.",
});

const { locale: writtenTo } = ProfileUpdate.shape;
const ownText = nullableText(255).optional();
export const OwnProfileUpdate = named(
  "OwnProfileUpdate",
  z.strictObject({ first_name: ownText, last_name: ownText, phone_number: ownText, locale: writtenTo }),
  {
    first_name: ["The first name; null for none.", "Ada"],
    last_name: ["The last name; null for none.", "Lovelace"],
    phone_number: ["The phone number; null for none.", "+1 202 555 0147"],
    locale: "The language that mails to the customer are in; null: the portal's default.",
  },
  { example: { phone_number: "+1 202 555 0147" } },
);

export const SessionRequest = z
  .strictObject({
    profile_id: idIn.openapi({
      description: "The customer whom the link signs in.",
      example: demoId("profile", 1),
    }),
    return_url: httpsUrl.optional().openapi({
      description: "Where the portal leads back to. One of the settings' return_urls allows it.",
      example: "https://shop.example.com/account/orders",
    }),
    locale: localeName.optional(),
  })
  .openapi("PortalSessionRequest", { example: { profile_id: demoId("profile", 1), locale: "en" } });

/** A link of the right form; its token is none. */
const linkExample = `https://api.example.com/portal/${demoShop}/enter?token=EXAMPLE`;

export const SessionLink = z
  .strictObject({
    url: z.string().openapi({
      description: "Opens the portal once. Give it to this customer alone.",
      example: linkExample,
    }),
    expires_at: instant.openapi({ description: "When the link expires: 15 minutes after it was made." }),
  })
  .openapi("PortalSessionLink");

export const StoreSessionRequest = z
  .strictObject({
    session_token: z.string().max(maxText).openapi({
      description:
        "The session token that the store gives its own pages for the customer who is signed in on them: a JWT. It may be sent again until it expires.",
      pattern: "^[\\w-]+\\.[\\w-]+\\.[\\w-]*$",
      example: "eyJhbGciOiJIUzI1NiJ9.e30.EXAMPLE",
    }),
  })
  .openapi("StoreSessionRequest", { example: { session_token: "eyJhbGciOiJIUzI1NiJ9.e30.EXAMPLE" } });

export const StoreSession = z
  .strictObject({
    ...SessionLink.shape,
    next_delivery_date: dateOut.nullable().openapi({
      description:
        "The day of the customer's next delivery, of all active subscriptions: YYYY-MM-DD. Null where none comes.",
      example: "2026-12-13",
    }),
  })
  .openapi("StoreSession");

export const SessionEnd = z.strictObject({
  profile_id: idIn.optional().openapi({
    description: "The customer to sign out everywhere. Without it all customers of the shop are.",
    example: demoId("profile", 1),
  }),
});
