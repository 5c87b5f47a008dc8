import { html } from "hono/html";
import { portalLocales } from "../../../../base/accounts/portal-settings.ts";
import type { StaffRole } from "../../../../base/accounts/roles.ts";
import { mailKinds } from "../../../../domain/mail/kinds.ts";
import type { FactRow } from "../../../pages/facts.ts";
import type { Fields } from "../../../pages/fields.ts";
import type { Field } from "../forms/fields.ts";
import type { StaffForm } from "../forms/form.ts";
import { catalogueForms } from "./catalogue-forms.ts";
import { connectionForms } from "./connection-forms.ts";
import { amount, choice, date, flag, nullable, number, required, text } from "./fields.ts";
import { offerForms } from "./offer-forms.ts";

const units = ["DAY", "WEEK", "MONTH", "YEAR"];
const ofOne = { params: ["id"] } as const;

const planFields = [
  text("name", "Name", required),
  number("billing_interval_count", "Charged every", required),
  choice("billing_interval", "unit", units, required),
  number("delivery_interval_count", "Delivered every"),
  choice("delivery_interval", "unit", units),
  choice("discount_type", "Discount in", ["PERCENTAGE", "FIXED_AMOUNT"], nullable),
  amount("discount_value", "Discount", nullable),
  amount("shipping_amount", "Shipping"),
  number("min_cycles", "Orders at least", nullable),
  number("max_cycles", "Orders at most", nullable),
  flag("is_active", "Can be chosen"),
];

const reasonFields = [
  text("label", "Label", required),
  text("description", "Description", nullable),
  flag("is_active", "Can be chosen"),
];

const weekday = { help: "0 is Sunday, 6 Saturday" } as const;
const dayFields = [
  number("day_of_week", "Delivered on", { ...required, ...weekday }),
  number("packing_day_of_week", "Packed on", { ...nullable, ...weekday }),
  number("billing_day_of_week", "Charged on", { ...nullable, ...weekday }),
  flag("is_active", "Can be chosen"),
];

const slotFields = [
  text("delivery_day_id", "Day (id)", required),
  text("label", "Label", required),
  text("start_time", "From", { ...required, help: "such as 08:00" }),
  text("end_time", "To", required),
  number("cutoff_days", "Changes until so many days before", nullable),
  text("cutoff_time", "at", nullable),
  number("max_deliveries_per_day", "Deliveries a day at most", nullable),
  flag("is_active", "Can be chosen"),
];

const closedRules = [
  ["earlier", "moves to the day before"],
  ["later", "moves to the day after"],
  ["skip", "is left out"],
] as const;

export const closedRuleWords: ReadonlyMap<string, string> = new Map(closedRules);

const closedFields = [
  text("label", "Name", required),
  date("from", "From"),
  date("to", "To, this day included"),
  choice("rule", "What falls on it", closedRules, required),
  {
    ...{ name: "applies_to", label: "Closed for", kind: "choice", isList: true },
    help: "none: all of them",
    choices: ["delivery", "production", "billing"],
  },
] as const satisfies Field[];

const endpointFields = [
  { name: "url", label: "Address", kind: "url", isRequired: true },
  text("description", "Description", nullable),
  text("event_types", "Events", { isList: true, help: "divided by commas; * is all of them" }),
  choice("payload", "Payload", ["full", "thin"]),
  flag("is_enabled", "Is sent events"),
] as const;

const permissions = [
  "pause",
  "cancel",
  "skip",
  "reschedule",
  "change_frequency",
  "change_address",
  "change_payment_method",
  "ship_now",
  "change_quantity",
  "swap",
  "add",
  "remove",
];

/** Each role with a sentence that says what it may do. */
const roleField: Field = {
  ...{ name: "role", label: "Role", kind: "sentences", isRequired: true },
  choices: [
    ["OWNER", "Owner: everything, staff and keys as well"],
    ["MANAGER", "Manager: everything but staff and keys"],
    [
      "SUPPORT",
      "Support: customers, subscriptions, payments and mails, within the shop’s bounds of what is given and paid back",
    ],
    ["WAREHOUSE", "Warehouse: orders, goods and delivery days; no payments"],
    ["VIEWER", "Viewer: reads everything but staff and keys, and changes nothing"],
  ] satisfies [StaffRole, string][],
};

const memberNow = {
  id: "listStaff",
  pick: (answer: unknown, { id }: Fields) =>
    (answer as { data: { id: string }[] }).data.find((member) => member.id === id),
};

function movedBy(_: unknown, { data }: { data: { affected?: number } }): FactRow[] {
  return [["Subscriptions whose dates move", String(data.affected ?? 0)]];
}

type Secret = { data: { secret: string } };

/** A text that is shown this once. */
function secretOnce(_: unknown, { data }: Secret) {
  return html`<section class="card"><p>It is shown this once. Keep it where nobody else can read it.</p><pre><code>${data.secret}</code></pre></section>`;
}

/** The three forms of a reason, of each kind. */
function reasonForms(kind: "Skip" | "Pause" | "Cancellation", word: string) {
  const slug = kind.toLowerCase();
  const back = "/settings/reasons";
  const one = { ...ofOne, back };
  return {
    [`add-${slug}-reason`]: {
      operation: `create${kind}Reason`,
      title: `Add a reason to ${word}`,
      button: "Add it",
      fields: reasonFields,
      back,
    },
    [`edit-${slug}-reason`]: {
      ...{
        ...one,
        operation: `update${kind}Reason`,
        title: `Change a reason to ${word}`,
        button: "Change it",
      },
      ...{ fields: reasonFields, current: { id: `get${kind}Reason` } },
    },
    [`remove-${slug}-reason`]: {
      ...one,
      operation: `delete${kind}Reason`,
      current: { id: `get${kind}Reason` },
      title: `Remove a reason to ${word}`,
      button: "Remove it",
      isDangerous: true,
    },
  } as const satisfies Record<string, StaffForm>;
}

/** The forms of the settings. */
export const settingsForms: Record<string, StaffForm> = {
  "edit-shop": {
    operation: "updateAccount",
    title: "Change the shop",
    button: "Change it",
    fields: [
      text("name", "Name", required),
      text("timezone", "Time zone", { ...required, help: "such as Europe/Berlin" }),
      number("dunning_retry_days", "Days after which a failed payment is tried again", {
        isList: true,
        ...nullable,
      }),
      choice(
        "dunning_final_action",
        "After the last try",
        [
          ["fail", "the subscription ends"],
          ["pause", "it is paused"],
          ["cancel", "it is cancelled"],
        ],
        required,
      ),
      number("payment_reminder_days_before", "Days before a charge of its reminder", nullable),
      choice(
        "out_of_stock_action",
        "What is out of stock",
        [
          ["retry", "is tried again later"],
          ["skip", "is skipped"],
          ["bill_anyway", "is billed anyway"],
        ],
        required,
      ),
      choice(
        "prepaid_on_end",
        "What is paid for when a subscription ends",
        [
          ["deliver", "is delivered"],
          ["stop", "is not delivered"],
        ],
        required,
      ),
      choice(
        "on_dispute",
        "After a dispute",
        [
          ["block", "billing waits for a person"],
          ["ignore", "billing goes on"],
        ],
        required,
      ),
      amount("support_max_discount_percent", "Percent that support may take off an order"),
      amount("support_max_refund", "Amount of an order that support may pay back", {
        ...nullable,
        help: "empty: none",
      }),
      flag("require_address", "Nothing is charged without a complete address"),
      flag("notify_every_retry", "Each failed try is mailed"),
    ],
    current: { id: "getAccount" },
    back: "/settings/shop",
  },
  "add-plan": {
    operation: "createSellingPlan",
    title: "Add a plan",
    button: "Add it",
    fields: [text("id", "Id", { ...required, help: "a name of yours, which stays" }), ...planFields],
    back: "/settings/plans",
  },
  "edit-plan": {
    ...{ ...ofOne, operation: "updateSellingPlan", title: "Change a plan", button: "Change it" },
    ...{ fields: planFields, current: { id: "getSellingPlan" }, back: "/settings/plans" },
    facts: (_, { affected }: { affected?: number }) => [["Subscriptions on it", String(affected ?? 0)]],
  },
  "remove-plan": {
    ...ofOne,
    current: { id: "getSellingPlan" },
    operation: "deleteSellingPlan",
    title: "Remove a plan",
    button: "Remove it",
    back: "/settings/plans",
    isDangerous: true,
  },
  ...reasonForms("Skip", "skip"),
  ...reasonForms("Pause", "pause"),
  ...reasonForms("Cancellation", "cancel"),
  "add-day": {
    operation: "createDeliveryDay",
    title: "Add a delivery day",
    button: "Add it",
    fields: dayFields,
    back: "/settings/days",
  },
  "edit-day": {
    ...{ ...ofOne, operation: "updateDeliveryDay", title: "Change a delivery day", button: "Change it" },
    ...{ fields: dayFields, current: { id: "getDeliveryDay" }, back: "/settings/days" },
    facts: (_, { affected }: { affected?: number }) => [["Subscriptions on it", String(affected ?? 0)]],
  },
  "remove-day": {
    ...ofOne,
    current: { id: "getDeliveryDay" },
    operation: "deleteDeliveryDay",
    title: "Remove a delivery day",
    button: "Remove it",
    back: "/settings/days",
    isDangerous: true,
  },
  "add-slot": {
    operation: "createDeliverySlot",
    title: "Add a slot",
    button: "Add it",
    fields: slotFields,
    back: "/settings/days",
  },
  "edit-slot": {
    ...{ ...ofOne, operation: "updateDeliverySlot", title: "Change a slot", button: "Change it" },
    ...{ fields: slotFields, current: { id: "getDeliverySlot" }, back: "/settings/days" },
    facts: (_, { affected }: { affected?: number }) => [["Subscriptions on it", String(affected ?? 0)]],
  },
  "remove-slot": {
    ...ofOne,
    current: { id: "getDeliverySlot" },
    operation: "deleteDeliverySlot",
    title: "Remove a slot",
    button: "Remove it",
    back: "/settings/days",
    isDangerous: true,
  },
  "add-closed-day": {
    operation: "createClosedDay",
    title: "Close days",
    button: "Close them",
    fields: closedFields,
    facts: movedBy,
    back: "/settings/days",
  },
  "edit-closed-day": {
    ...{ ...ofOne, operation: "updateClosedDay", title: "Change closed days", button: "Change them" },
    ...{ fields: closedFields, current: { id: "getClosedDay" }, back: "/settings/days" },
    note: "What had been moved from them is put back, and what falls on them now is moved.",
    facts: movedBy,
  },
  "remove-closed-day": {
    ...ofOne,
    current: { id: "getClosedDay" },
    operation: "deleteClosedDay",
    note: "What had been moved from them is put back, unless its day has passed.",
    title: "Open closed days again",
    button: "Open them",
    back: "/settings/days",
    isDangerous: true,
  },
  "edit-portal": {
    operation: "updatePortalSettings",
    title: "Change the portal",
    button: "Change it",
    fields: [
      flag("is_enabled", "Customers can use it"),
      { name: "support_email", label: "E-mail address of your support", kind: "email", ...nullable },
      { name: "logo_url", label: "Address of the logo", kind: "url", ...nullable },
      text("accent_color", "Colour", { ...nullable, help: "such as #1f4f8f" }),
      choice("default_locale", "Language", portalLocales, required),
      ...permissions.map((what) => flag(`can_${what}`, `Customers may ${what.replaceAll("_", " ")}`)),
      number("max_pause_days", "Days of a pause at most", nullable),
      number("max_quantity", "Of one item at most"),
    ],
    current: { id: "getPortalSettings" },
    back: "/settings/portal",
  },
  ...offerForms,
  ...catalogueForms,
  ...connectionForms,
  "edit-mail": {
    operation: "updateMailSettings",
    title: "Change the mails",
    button: "Change it",
    fields: [
      flag("is_enabled", "Mails are sent"),
      text("from_name", "Sender", required),
      { name: "reply_to", label: "Answers go to", kind: "email", ...nullable },
      { name: "postal_address", label: "Postal address", kind: "long", ...nullable },
    ],
    current: { id: "getMailSettings" },
    back: "/settings/mail",
  },
  "test-mail": {
    operation: "sendTestMail",
    title: "Send a test mail",
    button: "Send it",
    fields: [{ name: "to", label: "To", kind: "email", isRequired: true }],
    back: "/settings/mail",
  },
  "preview-mail": {
    operation: "previewMail",
    title: "Look at a mail",
    button: "Show it",
    fields: [
      choice("kind", "Mail", mailKinds, required),
      choice("locale", "Language", portalLocales, required),
    ],
    bodyOf: () => ({}),
    shows: (_, { data }: { data: { subject: string; text: string } }) =>
      html`<section class="card"><h2>${data.subject}</h2><pre>${data.text}</pre></section>`,
    back: "/settings/mail",
    isDirect: true,
  },
  "add-endpoint": {
    operation: "createWebhookEndpoint",
    title: "Add an endpoint",
    button: "Add it",
    fields: [...endpointFields],
    shows: secretOnce,
    back: "/settings/endpoints",
  },
  "edit-endpoint": {
    ...{ ...ofOne, operation: "updateWebhookEndpoint", title: "Change an endpoint", button: "Change it" },
    ...{ fields: [...endpointFields], current: { id: "getWebhookEndpoint" }, back: "/settings/endpoints" },
  },
  "rotate-secret": {
    ...{
      ...ofOne,
      operation: "rotateWebhookEndpointSecret",
      title: "Give an endpoint another secret",
      button: "Change the secret",
    },
    ...{ shows: secretOnce, back: "/settings/endpoints", isDangerous: true },
  },
  "remove-endpoint": {
    ...ofOne,
    current: { id: "getWebhookEndpoint" },
    operation: "deleteWebhookEndpoint",
    title: "Remove an endpoint",
    button: "Remove it",
    back: "/settings/endpoints",
    isDangerous: true,
  },
  "add-key": {
    operation: "createApiKey",
    title: "Make a key",
    button: "Make it",
    fields: [
      text("name", "Name", required),
      text("scopes", "Scopes", { isList: true, help: "such as orders:read, orders:write; empty for all" }),
      text("expires_at", "Good until", { help: "such as 2027-01-01T00:00:00Z; empty for ever" }),
      flag("requires_preview", "It changes nothing that was not previewed"),
    ],
    shows: secretOnce,
    back: "/settings/keys",
  },
  "revoke-key": {
    ...ofOne,
    operation: "deleteApiKey",
    title: "Revoke a key",
    button: "Revoke it",
    back: "/settings/keys",
    isDangerous: true,
  },
  "add-member": {
    operation: "createStaffMember",
    title: "Add a member of staff",
    button: "Add them",
    fields: [
      { name: "email", label: "E-mail address", kind: "email", isRequired: true },
      text("name", "Name"),
      roleField,
    ],
    back: "/settings/staff",
  },
  "edit-member": {
    ...{ ...ofOne, operation: "updateStaffMember", title: "Change a member of staff", button: "Change them" },
    note: "Suspending somebody, and a role that may do less, end their sessions at once.",
    fields: [
      text("name", "Name", required),
      { name: "email", label: "E-mail address", kind: "email", isRequired: true },
      roleField,
      choice("status", "State", ["ACTIVE", "SUSPENDED"]),
    ],
    current: memberNow,
    back: "/settings/staff",
  },
  "invite-member": {
    current: memberNow,
    ...{ ...ofOne, operation: "inviteStaffMember", title: "Invite a member of staff", button: "Make a link" },
    note: "The link signs them in once, within 15 minutes. It is mailed to them where mails are sent.",
    shows: (_, { data }: { data: { url: string | null } }) =>
      data.url === null
        ? html`<section class="card"><p>The link was mailed to them.</p></section>`
        : html`<section class="card"><p>It is shown this once. Hand it to them alone.</p><pre><code>${data.url}</code></pre></section>`,
    back: "/settings/staff",
  },
  "remove-member": {
    ...ofOne,
    operation: "deleteStaffMember",
    current: memberNow,
    title: "Remove a member of staff",
    button: "Remove them",
    back: "/settings/staff",
    isDangerous: true,
  },
};
