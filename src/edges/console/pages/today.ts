import { html } from "hono/html";
import { day, dayOf, money } from "../../../base/language/format.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import type { Html } from "../../pages/document.ts";
import { type ConsoleVisit, type StaffVisit, todayOf } from "./console-env.ts";
import { changeAll } from "./jobs/change-all.ts";
import { layout } from "./layout.ts";
import { customerLink, orderLink, subscriptionLink } from "./links.ts";
import { type PackingListName, packingLists } from "./packing-lists.ts";
import { type Column, table, wordOf } from "./table.ts";
import { sinceText, type Tab, tabsOf, toDoCalls } from "./to-do/to-do-page.ts";
import type { AskAsStaff, PageAnswer, PageOperation } from "./visit.ts";

/** The shop's day: what is due and to pack, what waits for a person, what runs, and what fails. A role sees its own part of that. */
export async function todayPage(visit: StaffVisit, ask: AskAsStaff): Promise<Html> {
  const calls = sections.map((one) => [one.title, { id: one.id, query: one.query(visit) }] as const);
  const answered = await ask(visit, {}, { ...Object.fromEntries(calls), ...toDoCalls, coming });
  const lists = answered as Record<string, List | undefined>;
  const waiting = tabsOf(visit, ask, answered).filter(({ total }) => total > 0);
  const shown = sections.flatMap((one) => {
    const list = lists[one.title];
    return list ? [[one, list] as const] : [];
  });
  const full = shown.filter(([, { meta }]) => meta.total > 0);
  const parts = full.map(
    ([one, list]) =>
      html`<section class="card">${render(visit, one, list)}${
        one.id === "listSubscriptions" ? changeAll(visit, ask, dueToday(visit), list.meta.total) : ""
      }</section>`,
  );
  const nothing = shown.flatMap(([one, { meta }]) => (meta.total === 0 ? (one.empty ?? []) : []));
  const isQuiet = waiting.length === 0 && full.length === 0;
  const next = answered.coming?.data[0];
  const content = html`${waiting.length > 0 ? waitingCard(visit, waiting) : html`<p class="good">Nothing waits for anybody.</p>`}${
    isQuiet && next?.next_billing_date
      ? html`<p>Next is ${customerLink(visit, next.profile)} ${subscriptionLink(visit, next)}, due on ${day("en", next.next_billing_date)}.</p>`
      : ""
  }${parts}${nothing.length > 0 ? html`<p class="quiet">${nothing.join(" ")}</p>` : ""}`;
  return layout(visit, { title: "Today", content });
}

/** The kinds of what waits for a person: how much there is of each, and the oldest. */
function waitingCard({ base, account }: StaffVisit, tabs: Tab[]): Html {
  const rows = tabs.map(({ name, title, total, isAtLeast, items: [oldest] }) => [
    html`<a href="${base}/to-do?tab=${name}">${title}</a>`,
    oldest ? sinceText(oldest.since, account.timezone) : "–",
    oldest?.whose ?? "–",
    oldest?.owed ?? "–",
    `${total}${isAtLeast ? "+" : ""}`,
  ]);
  return html`<section class="card"><h2>Waits for a person</h2>${table({
    caption: "Waits for a person",
    columns: [
      "What",
      "Oldest since",
      "Whose",
      { head: "Owed", isNumber: true },
      { head: "How many", isNumber: true },
    ],
    rows,
  })}</section>`;
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
  /** The words where there is nothing; absent where nothing need be said. */
  empty?: string;
  query: (visit: ConsoleVisit) => Record<string, string>;
  columns: Column[];
  row: (visit: StaffVisit, item: RowOf<Id>) => (string | Html)[];
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

/** The orders of a packing list of today of which nothing was sent yet. */
function toPack(list: PackingListName, title: string, empty?: string): Section {
  return section({
    ...{ id: "listOrders", title, ...(empty === undefined ? {} : { empty }) },
    query: (visit) => ({ ...packingLists(todayOf(visit))[list].query("UNFULFILLED"), limit }),
    columns: ["Order", "Customer", "Delivered on"],
    row: (visit, { profile, delivery_date, ...order }) => [
      orderLink(visit, order),
      customerLink(visit, profile),
      delivery_date === null ? "–" : day("en", delivery_date),
    ],
  });
}

const amount = { head: "Amount", isNumber: true } as const;

const sections: Section[] = [
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
  toPack("pack", "To pack today", "There is nothing to pack today."),
  toPack("undated", "Delivered today, without a packing day"),
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
];

function render(visit: StaffVisit, section: Section, list: List): Html {
  const { title, columns, row } = section;
  const { total, total_is_estimate } = list.meta;
  const rows = list.data.map((item) => row(visit, item as never));
  return html`<h2>${title} <span class="count">${total}${total_is_estimate ? "+" : ""}</span></h2>
    ${table({ caption: title, columns, rows })}`;
}
