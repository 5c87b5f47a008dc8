import { html, raw } from "hono/html";
import { DomainError, notFound } from "../../../../base/errors.ts";
import { hourMs } from "../../../../base/lib/time/durations.ts";
import type { Html } from "../../../pages/document.ts";
import { factRows } from "../../../pages/facts.ts";
import type { StaffVisit } from "../console-env.ts";
import { fillFields, type Known, textsOf } from "../forms/fields.ts";
import { formLink } from "../forms/form-link.ts";
import { wordsOf } from "../forms/pages.ts";
import { layout } from "../layout.ts";
import { capitalized, table, wordOf } from "../table.ts";
import type { AskAsStaff, PageOperation } from "../visit.ts";
import { closedRuleWords, settingsForms } from "./forms.ts";
import { spanOf, termsOf } from "./offer-forms.ts";

type Values = Record<string, unknown>;
/** The answers of the page's sections, by their names. */
type Answered = Record<string, unknown>;

/** A section of the settings: one record as facts, or a list as rows of these fields, with the actions of the whole and of a row. */
type Section = {
  name: string;
  title: string;
  /** The page that it shares with others, and the words of the way there. */
  page?: string;
  tab?: string;
  /** The operation that answers it. */
  id: string;
  /** The fields of a row; without them the section is one record. */
  columns?: readonly string[];
  /** The rows, where they are within one record, whose other values are facts then. */
  within?: string;
  /** The words for a row's field, where its value does not say it. */
  words?: Record<string, (row: Values, answered: Answered) => string>;
  /** The words where the list is empty. */
  empty?: string;
  actions?: Record<string, string>;
  rowActions?: Record<string, string> | ((row: Values) => Record<string, string>);
  /** The values of a row that the address of its action has, by the names of the action. */
  rowValues?: Record<string, (row: Values) => Record<string, string>>;
};

const shownRows = 20;

/** A page of the settings: of those that the role may read the first, or the one of this name. */
export async function settingsPage(
  visit: StaffVisit,
  ask: AskAsStaff,
  name: string | undefined,
): Promise<Html> {
  const seen = sections.filter(({ id }) => ask.reaches(visit, id));
  const here = name ?? (seen[0] && pageOf(seen[0]));
  if (!sections.some((section) => pageOf(section) === here)) throw notFound("Page");
  const shown = seen.filter((section) => pageOf(section) === here);
  if (shown.length === 0) throw new DomainError("FORBIDDEN", "Your role has nothing of this page");
  const calls = shown.map(({ name, id, columns, within }) => [
    name,
    {
      id: id as PageOperation,
      ...(columns && !within && !id.endsWith("Reasons") ? { query: { limit: String(shownRows) } } : {}),
    },
  ]);
  const answered: Answered = await ask(visit, {}, Object.fromEntries(calls));
  const links = [...new Map(seen.map((section) => [pageOf(section), section.tab ?? section.title]))].map(
    ([page, title]) =>
      html`<a href="${visit.base}/settings/${page}"${page === here ? raw(' aria-current="page"') : ""}>${title}</a> `,
  );
  const content = html`<nav class="tabs" aria-label="Sections">${links}</nav>${signInAgain(visit)}${shown.map(
    (section) => render(visit, ask, section, answered),
  )}`;
  return layout(visit, { title: "Settings", content });
}

function pageOf({ page, name }: Section): string {
  return page ?? name;
}

/** The way to a fresh sign-in, for an OWNER whose own is too old to change keys and staff. */
function signInAgain({ session, base, c }: StaffVisit): Html {
  const isFresh = c.get("now").getTime() - Date.parse(session.created_at) <= hourMs;
  if (session.role !== "OWNER" || isFresh) return html``;
  return html`<form class="card" method="post" action="${base}/sign-in-again"><p>Keys, staff and secrets are changed within an hour of signing in. You signed in earlier.</p>
    <p class="buttons"><button>Get a link to sign in again</button></p></form>`;
}

function render(visit: StaffVisit, ask: AskAsStaff, section: Section, answered: Answered): Html {
  const { name, title, columns, empty, actions = {}, within } = section;
  const answer = answered[name];
  const links = Object.entries(actions).map(([action, text]) => link(visit, ask, action, text, {}));
  const { data } = answer as { data: Values };
  const rows = within ? (data[within] as Values[]) : columns ? listIn(answer) : [];
  const total = (answer as { meta?: { total: number } }).meta?.total ?? rows.length;
  const facts = within
    ? factsOf({ ...data, [within]: undefined }, actions)
    : columns
      ? []
      : factsOf(data, actions);
  const list =
    rows.length > 0
      ? rowTable(visit, ask, { section, rows: rows.slice(0, shownRows), answered })
      : html`<p class="quiet">${empty ?? "There are none."}</p>`;
  return html`<section class="card" id="${name}"><h2>${title}</h2>${facts.length > 0 ? html`<dl>${factRows(facts)}</dl>` : ""}${columns ? list : ""}${
    total > shownRows && columns
      ? html`<p class="quiet">${shownRows} of ${total} are shown; the API has all.</p>`
      : ""
  }<p class="buttons">${links}</p></section>`;
}

/** The records of a list; the list of reasons is an array of records. */
function listIn(answer: unknown): Values[] {
  const rows = Array.isArray(answer) ? answer : (answer as { data: unknown[] }).data;
  return rows.map((row: unknown) =>
    Array.isArray(answer) ? (row as { data: Values }).data : (row as Values),
  );
}

type Listed = { section: Section; rows: Values[]; answered: Answered };

function rowTable(visit: StaffVisit, ask: AskAsStaff, { section, rows, answered }: Listed): Html {
  const { title, columns = [], rowActions = {}, rowValues = {}, words = {} } = section;
  const its = (row: Values) =>
    Object.entries(typeof rowActions === "function" ? rowActions(row) : rowActions).map(([action, text]) =>
      link(visit, ask, action, text, rowValues[action]?.(row) ?? { id: String(row.id) }),
    );
  return table({
    caption: title,
    isLabelled: true,
    columns: [...columns.map(headOf), "You can"],
    rows: rows.map((row) => [
      ...columns.map((column) => words[column]?.(row, answered) ?? textOf(row[column])),
      html`${its(row)}`,
    ]),
  });
}

function link(
  visit: StaffVisit,
  ask: AskAsStaff,
  name: string,
  text: string,
  values: Record<string, string>,
): Html {
  const form = settingsForms[name];
  return form ? formLink(visit, ask, { name, form, text, values }) : html``;
}

/** A field's name as people read it. */
function headOf(field: string): string {
  return capitalized(wordOf(field.replace(/^is_|(?<=day)_name$/g, "")));
}

/** The values of a record in the words of the form that changes it; those that it has no field for, but ids, stamps and what is empty, by their names. */
function factsOf(record: Values, actions: Record<string, string>): [string, string][] {
  const [form] = Object.keys(actions).flatMap((name) => settingsForms[name] ?? []);
  const fields = form?.current && !form.bodyWith ? (form.fields ?? []) : [];
  const texts = textsOf(fields, record);
  const told = fillFields(fields, {} as Known, texts).map((field): [string, string] => [
    field.label,
    wordsOf(field, texts[field.name] ?? ""),
  ]);
  const names = new Set(fields.map(({ name }) => name));
  const others = Object.entries(record)
    .filter(([name, value]) => !names.has(name) && !/^id$|_id$|_at$/.test(name) && textOf(value) !== "–")
    .map(([name, value]): [string, string] => [headOf(name), textOf(value)]);
  return [...told, ...others];
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(textOf).join(", ") || "–";
  if (typeof value !== "object")
    return String(value).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/, "$1 $2 UTC");
  const { label, en, kind, interval, interval_count: count, at_least, days_before } = value as Values;
  if (days_before !== undefined)
    return `every ${spanOf(at_least, interval)} or more: ${days_before} days before`;
  if (interval !== undefined) return `${count ?? ""} ${wordOf(String(interval))}`.trim();
  if (label !== undefined) return `${textOf(label)}${kind === undefined ? "" : ` (${wordOf(String(kind))})`}`;
  if (en !== undefined) return textOf(en);
  const off = Object.entries(value).filter(([, one]) => (one as Values | null)?.is_enabled === false);
  return off.length === 0 ? "all on" : `off: ${off.map(([name]) => wordOf(name)).join(", ")}`;
}

/** The day of a slot, of those on the same page. */
function dayOfSlot({ delivery_day_id }: Values, { days }: Answered): string {
  return textOf(listIn(days).find(({ id }) => id === delivery_day_id)?.day_name);
}

function chargedOf({ billing_interval, billing_interval_count }: Values): string {
  return `every ${spanOf(billing_interval_count, billing_interval)}`;
}

function discountOf({ discount_value, discount_type }: Values): string {
  if (discount_value === null) return "–";
  return `${discount_value}${discount_type === "PERCENTAGE" ? " %" : ""}`;
}

function reasons(kind: "Skip" | "Pause" | "Cancellation", word: string): Section {
  const slug = kind.toLowerCase();
  return {
    name: slug === "skip" ? "reasons" : `${slug}-reasons`,
    title: `Reasons to ${word}`,
    ...{ page: "reasons", tab: "Reasons" },
    id: `list${kind}Reasons`,
    columns: ["label", "description", "is_active"],
    actions: { [`add-${slug}-reason`]: "Add one" },
    rowActions: { [`edit-${slug}-reason`]: "Change", [`remove-${slug}-reason`]: "Remove" },
  };
}

const daysPage = { page: "days", tab: "Days and slots" } as const;

const sections: Section[] = [
  { name: "shop", title: "Shop", id: "getAccount", actions: { "edit-shop": "Change" } },
  {
    name: "plans",
    title: "Plans",
    id: "listSellingPlans",
    columns: ["name", "charged", "discount", "is_active"],
    words: { charged: chargedOf, discount: discountOf },
    empty: "There is no plan yet: customers choose one with what they subscribe to.",
    actions: { "add-plan": "Add one" },
    rowActions: { "edit-plan": "Change", "remove-plan": "Remove" },
  },
  reasons("Skip", "skip"),
  reasons("Pause", "pause"),
  reasons("Cancellation", "cancel"),
  {
    name: "days",
    title: "Delivery days",
    ...daysPage,
    id: "listDeliveryDays",
    columns: ["day_name", "packing_day_name", "billing_day_name", "is_active"],
    empty: "There is no delivery day: every day is one.",
    actions: { "add-day": "Add one" },
    rowActions: { "edit-day": "Change", "add-slot": "Add a slot", "remove-day": "Remove" },
    rowValues: { "add-slot": ({ id }) => ({ delivery_day_id: String(id) }) },
  },
  {
    name: "slots",
    title: "Slots",
    ...daysPage,
    id: "listDeliverySlots",
    columns: ["label", "day", "start_time", "end_time", "max_deliveries_per_day", "is_active"],
    words: { day: dayOfSlot },
    empty: "There is no slot: a delivery day has them.",
    rowActions: { "edit-slot": "Change", "remove-slot": "Remove" },
  },
  {
    name: "closed",
    title: "Closed days",
    ...daysPage,
    id: "listClosedDays",
    columns: ["label", "from", "to", "rule"],
    words: { rule: ({ rule }) => closedRuleWords.get(String(rule)) ?? "" },
    empty: "No day is closed.",
    actions: { "add-closed-day": "Close days" },
    rowActions: { "edit-closed-day": "Change", "remove-closed-day": "Open again" },
  },
  { name: "portal", title: "Portal", id: "getPortalSettings", actions: { "edit-portal": "Change" } },
  {
    name: "catalogue",
    title: "Catalogue",
    id: "getCatalogue",
    within: "items",
    columns: ["product_title", "variant_title", "price", "is_one_time_allowed"],
    empty: "The catalogue is empty: customers can swap and add nothing.",
    actions: { "add-item": "Add an item" },
    rowActions: { "edit-item": "Change", "remove-item": "Remove" },
    rowValues: {
      "edit-item": ({ store_variant_id: id }) => ({ id: String(id) }),
      "remove-item": ({ store_variant_id: id }) => ({ id: String(id) }),
    },
  },
  {
    name: "offers",
    title: "Cancellation offers",
    id: "getCancellationFlow",
    within: "offers",
    columns: ["label", "kind", "terms"],
    words: { kind: ({ kind }) => wordOf(String(kind)), terms: termsOf },
    empty: "Nothing is offered.",
    actions: {
      "edit-offers": "Change",
      "add-pause-offer": "Offer a pause",
      "add-skip-offer": "a skip",
      "add-discount-offer": "a discount",
      "add-frequency-offer": "another frequency",
      "add-swap-offer": "another product",
    },
    rowActions: ({ kind }) => ({
      [`edit-${String(kind).toLowerCase()}-offer`]: "Change",
      "remove-offer": "Remove",
    }),
  },
  {
    name: "mail",
    title: "Mail",
    id: "getMailSettings",
    actions: {
      "edit-mail": "Change",
      "preview-mail": "Look at a mail",
      "test-mail": "Send a test mail",
      "mail-by-resend": "Send by Resend",
      "mail-by-postmark": "by Postmark",
      "mail-by-smtp": "by SMTP",
    },
  },
  {
    name: "store",
    title: "Store",
    id: "getStoreConnection",
    actions: { "connect-store": "Connect", "disconnect-store": "Disconnect" },
  },
  {
    name: "endpoints",
    title: "Endpoints",
    id: "listWebhookEndpoints",
    columns: ["url", "event_types", "is_enabled", "failing_since"],
    empty: "No endpoint is sent events.",
    actions: { "add-endpoint": "Add one" },
    rowActions: { "edit-endpoint": "Change", "rotate-secret": "Another secret", "remove-endpoint": "Remove" },
  },
  {
    name: "keys",
    title: "Keys",
    id: "listApiKeys",
    columns: ["name", "scopes", "expires_at", "last_used_at"],
    empty: "There is no key.",
    actions: { "add-key": "Make one" },
    rowActions: { "revoke-key": "Revoke" },
  },
  {
    name: "staff",
    title: "Staff",
    id: "listStaff",
    columns: ["name", "email", "role", "status", "last_seen_at"],
    words: { role: ({ role }) => wordOf(String(role)), status: ({ status }) => wordOf(String(status)) },
    actions: { "add-member": "Add somebody" },
    rowActions: { "edit-member": "Change", "invite-member": "Invite", "remove-member": "Remove" },
  },
];
