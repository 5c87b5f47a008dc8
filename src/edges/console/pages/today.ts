import { html } from "hono/html";
import type { Scope } from "../../../base/accounts/scopes.ts";
import { day, dayOf, money } from "../../../base/language/format.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import { dateIn } from "../../../base/lib/time/dates.ts";
import type { Html } from "../../pages/document.ts";
import type { ConsoleVisit, StaffVisit } from "./console-env.ts";
import { layout } from "./layout.ts";
import { type AskAsStaff, may, type PageAnswer, type PageOperation } from "./visit.ts";

/** The shop's day: what is due and to pack, what waits for a person, what runs, and what fails. A role sees its own part of that. */
export async function todayPage(visit: StaffVisit, ask: AskAsStaff): Promise<Html> {
  const shown = sections.filter(({ scope }) => may(visit, scope));
  const answered = await ask(
    visit,
    ...shown.map((section) => ({ id: section.id, query: section.query(visit) })),
  );
  const parts = shown.map((section, index) => render(visit, section, answered[index] as List));
  const isQuiet = answered.every((answer) => (answer as List).meta.total === 0);
  const content = html`${isQuiet ? html`<p class="good">Nothing waits for anybody.</p>` : ""}<div class="sections">${parts}</div>`;
  return layout(visit, { title: "Today", content });
}

type List = { data: unknown[]; meta: { total: number; total_is_estimate: boolean } };

type Section<Id extends PageOperation = PageOperation> = {
  id: Id;
  scope: Scope;
  title: string;
  /** The words where there is nothing. */
  empty: string;
  query: (visit: ConsoleVisit) => Record<string, string>;
  columns: Column[];
  row: (visit: StaffVisit, item: PageAnswer<Id>["data"][number]) => (string | Html)[];
};

/** The rows of a section that are shown. */
const limit = "5";

function section<Id extends PageOperation>(one: Section<Id>): Section {
  return one as unknown as Section;
}

const amount = { head: "Amount", isNumber: true } as const;

const sections: Section[] = [
  section({
    id: "listAllDunningEpisodes",
    scope: "billing:read",
    title: "Payments that failed",
    empty: "Nobody owes a payment.",
    query: () => ({ status: "OPEN,AWAITING_CUSTOMER", limit }),
    columns: ["Customer", "Subscription", "Why", "Next try", amount],
    row: (
      { account },
      { customer_name, subscription_number, last_error_message, next_retry_at, ...owed },
    ) => [
      customer_name ?? "–",
      `#${subscription_number}`,
      last_error_message ?? "not known",
      next_retry_at === null ? "waits for the customer" : dayOf("en", next_retry_at, account.timezone),
      money("en", owed.amount, owed.currency_code),
    ],
  }),
  section({
    id: "listAllBillingAttempts",
    scope: "billing:read",
    title: "Charges to review",
    empty: "No charge waits for a person.",
    query: () => ({ status: "REVIEW", limit }),
    columns: ["Since", "Cycle", "Why", amount],
    row: ({ account }, attempt) => [
      dayOf("en", attempt.created_at, account.timezone),
      String(attempt.cycle),
      attempt.error_message ?? "its outcome is not known",
      money("en", attempt.amount, attempt.currency_code),
    ],
  }),
  section({
    id: "listSubscriptions",
    scope: "subscriptions:read",
    title: "Due today",
    empty: "Nothing is due today.",
    query: (visit) => ({
      next_billing_before: addDays(todayOf(visit), 1),
      status: "ACTIVE",
      sort_by: "next_billing_date",
      sort_order: "asc",
      limit,
    }),
    columns: ["Customer", "Subscription", "Due", amount],
    row: (_, { profile, number, next_billing_date, total, currency_code }) => [
      profile.full_name || profile.email,
      `#${number}`,
      next_billing_date === null ? "–" : day("en", next_billing_date),
      money("en", total, currency_code),
    ],
  }),
  section({
    id: "listOrders",
    scope: "orders:read",
    title: "To pack today",
    empty: "There is nothing to pack today.",
    query: (visit) => {
      const today = todayOf(visit);
      return {
        production_date_from: today,
        production_date_to: today,
        fulfillment_status: "UNFULFILLED",
        limit,
      };
    },
    columns: ["Order", "Customer", "Delivered on"],
    row: (_, { store_order_number, external_order_number, profile, delivery_date }) => [
      external_order_number ?? store_order_number ?? "–",
      profile?.full_name || (profile?.email ?? "–"),
      delivery_date === null ? "–" : day("en", delivery_date),
    ],
  }),
  section({
    id: "listJobs",
    scope: "jobs:read",
    title: "Jobs that run",
    empty: "No job runs.",
    query: () => ({ status: "STAGING,CHECKING,RUNNING,UNDOING", limit }),
    columns: ["Job", "State", "Since"],
    row: ({ account }, { kind, status, created_at }) => [
      wordOf(kind),
      wordOf(status),
      dayOf("en", created_at, account.timezone),
    ],
  }),
  section({
    id: "listMails",
    scope: "mails:read",
    title: "Mails that failed",
    empty: "No mail has failed.",
    query: () => ({ status: "FAILED,BOUNCED", limit }),
    columns: ["Mail", "State", "Why", "When"],
    row: ({ account }, { subject, kind, status, last_error, created_at }) => [
      subject ?? wordOf(kind),
      wordOf(status),
      last_error ?? "–",
      dayOf("en", created_at, account.timezone),
    ],
  }),
];

function render(visit: StaffVisit, { title, empty, columns, row }: Section, { data, meta }: List): Html {
  const { total, total_is_estimate: isBound } = meta;
  const count = total === 0 ? "" : html` <span class="count">${total}${isBound ? "+" : ""}</span>`;
  const rows = data.map((item) => row(visit, item as never));
  return html`<section class="card"><h2>${title}${count}</h2>
    ${rows.length === 0 ? html`<p class="quiet">${empty}</p>` : table({ caption: title, columns, rows })}</section>`;
}

/** The shop's day. */
function todayOf({ c, account }: ConsoleVisit): string {
  return dateIn(account.clock_at ?? c.get("now").toISOString(), account.timezone);
}

/** A column: its head, and whether it holds numbers. */
type Column = string | { head: string; isNumber: true };

type Rows = { caption: string; columns: Column[]; rows: (string | Html)[][] };

/** Rows under heads, which a narrow screen shows two lines a row. */
function table({ caption, columns, rows }: Rows): Html {
  const heads = columns.map((column) =>
    typeof column === "string" ? { head: column, isNumber: false } : column,
  );
  const kind = (index: number) => (heads[index]?.isNumber ? html` class="number"` : "");
  return html`<table><caption class="hidden">${caption}</caption>
    <thead><tr>${heads.map(({ head }, index) => html`<th scope="col"${kind(index)}>${head}</th>`)}</tr></thead>
    <tbody>${rows.map((cells) => html`<tr>${cells.map((cell, index) => html`<td${kind(index)} data-label="${heads[index]?.head ?? ""}">${cell}</td>`)}</tr>`)}</tbody></table>`;
}

/** A code of the API as a word: PAYMENT_FAILED is payment failed. */
function wordOf(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}
