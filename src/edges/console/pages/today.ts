import { html } from "hono/html";
import { day, dayOf, money } from "../../../base/language/format.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import type { Html } from "../../pages/document.ts";
import { type ConsoleVisit, type StaffVisit, todayOf } from "./console-env.ts";
import { changeAll } from "./jobs/change-all.ts";
import { layout } from "./layout.ts";
import { customerLink, orderLink, subscriptionLink } from "./links.ts";
import { type Column, table, wordOf } from "./table.ts";
import { isFailing } from "./to-do/waiting.ts";
import type { AskAsStaff, PageAnswer, PageOperation } from "./visit.ts";

/** The shop's day: what is due and to pack, what waits for a person, what runs, and what fails. A role sees its own part of that. */
export async function todayPage(visit: StaffVisit, ask: AskAsStaff): Promise<Html> {
  const calls = sections.map((one) => [one.id, { id: one.id, query: one.query(visit) }] as const);
  const answered: Record<string, unknown> = await ask(visit, {}, { ...Object.fromEntries(calls), coming });
  const shown = sections.flatMap((one) =>
    answered[one.id] ? [[one, answered[one.id] as List] as const] : [],
  );
  const parts = shown.map(
    ([one, list]) =>
      html`<section class="card">${render(visit, one, list)}${
        one.id === "listSubscriptions" ? changeAll(visit, ask, dueToday(visit), list.meta.total) : ""
      }</section>`,
  );
  const isQuiet = shown.every(([one, list]) => relevant(one, list).total === 0);
  const next = (answered.coming as PageAnswer<"listSubscriptions"> | undefined)?.data[0];
  const content = html`${oldestLine(visit)}${isQuiet ? html`<p class="good">Nothing waits for anybody.</p>` : ""}${
    isQuiet && next?.next_billing_date
      ? html`<p>Next is ${customerLink(visit, next.profile)} ${subscriptionLink(visit, next)}, due on ${day("en", next.next_billing_date)}.</p>`
      : ""
  }<div class="sections">${parts}</div>`;
  return layout(visit, { title: "Today", content });
}

/** The money that has waited longest, and the way to all that waits. */
function oldestLine(visit: StaffVisit): Html {
  const { oldest, total } = visit.c.get("waiting") ?? {};
  if (!oldest) return html``;
  const isDay = oldest.since.length === "YYYY-MM-DD".length;
  const since = isDay ? day("en", oldest.since) : dayOf("en", oldest.since, visit.account.timezone);
  return html`<p>Waiting longest is ${subscriptionLink(visit, oldest)}, since ${since}. <a href="${visit.base}/to-do">To do: ${total}</a></p>`;
}

/** The subscription that is due first. */
const coming = {
  id: "listSubscriptions",
  query: { status: "ACTIVE", sort_by: "next_billing_date", sort_order: "asc", limit: "1" },
} as const;

type List = { data: unknown[]; meta: { total: number; total_is_estimate: boolean } };

type Section<Id extends PageOperation = PageOperation> = {
  id: Id;
  title: string;
  /** The words where there is nothing. */
  empty: string;
  query: (visit: ConsoleVisit) => Record<string, string>;
  columns: Column[];
  row: (visit: StaffVisit, item: RowOf<Id>) => (string | Html)[];
  /** Whether a record is shown, where the list cannot be asked for those alone. */
  isShown?: (item: RowOf<Id>) => boolean;
};

/** A record of the list that an operation answers. */
type RowOf<Id extends PageOperation> = PageAnswer<Id> extends { data: (infer Row)[] } ? Row : never;

/** The number of rows that a section shows. */
const limit = "5";

function section<Id extends PageOperation>(one: Section<Id>): Section {
  return one as unknown as Section;
}

/** The subscriptions that are due today, as their list is asked for them. */
function dueToday(visit: ConsoleVisit) {
  return { next_billing_before: addDays(todayOf(visit), 1), status: "ACTIVE" };
}

const amount = { head: "Amount", isNumber: true } as const;

const sections: Section[] = [
  section({
    id: "listAllDunningEpisodes",
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
    title: "Due today",
    empty: "Nothing is due today.",
    query: (visit) => ({
      ...dueToday(visit),
      sort_by: "next_billing_date",
      sort_order: "asc",
      limit,
    }),
    columns: ["Customer", "Subscription", "Due", amount],
    row: (visit, { id, profile, number, next_billing_date, total, currency_code }) => [
      customerLink(visit, profile),
      subscriptionLink(visit, { id, number }),
      next_billing_date === null ? "–" : day("en", next_billing_date),
      money("en", total, currency_code),
    ],
  }),
  section({
    id: "listOrders",
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
    row: (visit, { profile, delivery_date, ...order }) => [
      orderLink(visit, order),
      customerLink(visit, profile),
      delivery_date === null ? "–" : day("en", delivery_date),
    ],
  }),
  section({
    id: "listJobs",
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
  section({
    id: "listWebhookEndpoints",
    title: "Endpoints that fail",
    empty: "Every endpoint takes its events.",
    query: () => ({ limit: "20" }),
    isShown: isFailing,
    columns: ["Endpoint", "State", "Since"],
    row: ({ account, base }, { url, is_enabled, failing_since, updated_at }) => [
      html`<a href="${base}/to-do?tab=endpoints">${url}</a>`,
      is_enabled ? "fails" : "switched off",
      dayOf("en", failing_since ?? updated_at, account.timezone),
    ],
  }),
];

/** The records that a section shows, and how many there are. */
function relevant({ isShown }: Section, { data, meta }: List): { data: unknown[]; total: number } {
  if (!isShown) return { data, total: meta.total };
  const found = data.filter((item) => isShown(item as never));
  return { data: found, total: found.length };
}

function render(visit: StaffVisit, section: Section, list: List): Html {
  const { title, empty, columns, row } = section;
  const { data, total } = relevant(section, list);
  const isBound = list.meta.total_is_estimate;
  const count = total === 0 ? "" : html` <span class="count">${total}${isBound ? "+" : ""}</span>`;
  const rows = data.map((item) => row(visit, item as never));
  return html`<h2>${title}${count}</h2>
    ${rows.length === 0 ? html`<p class="quiet">${empty}</p>` : table({ caption: title, columns, rows })}`;
}
