import { html, raw } from "hono/html";
import { DomainError } from "../../../../base/errors.ts";
import { day, dayOf, moment, money } from "../../../../base/language/format.ts";
import { reviewCodes } from "../../../../domain/billing/tables.ts";
import { addressMissing, importHeld } from "../../../../domain/subscriptions/lifecycle.ts";
import type { Html } from "../../../pages/document.ts";
import { subscriptionSubject } from "../changes/subscription-changes.ts";
import { type StaffVisit, todayOf } from "../console-env.ts";
import { formLink } from "../forms/form-link.ts";
import { changeAll } from "../jobs/change-all.ts";
import { layout } from "../layout.ts";
import { customerLink, subscriptionLink } from "../links.ts";
import { table, wordOf } from "../table.ts";
import type { AskAsStaff, PageAnswer, PageCall } from "../visit.ts";
import { toDoForms } from "./forms.ts";
import { countingCalls, isFailing } from "./waiting.ts";

/** Something that waits for a person: since when, what is owed, whose it is, why, what happens by itself, and what can be done. */
type Item = { since: string; owed?: string; whose: string | Html; why: string; next: string; actions: Html };

export type Tab = {
  name: string;
  title: string;
  empty: string;
  items: Item[];
  total: number;
  isAtLeast: boolean;
};

/** The rows of a tab. */
const shown = 25;
/** The most records of a list that a tab sorts by age. */
const limit = "100";

/** One inbox of all that waits for a person, the oldest money first. */
export async function toDoPage(visit: StaffVisit, ask: AskAsStaff): Promise<Html> {
  const kinds = tabsOf(visit, ask, await ask(visit, {}, toDoCalls));
  if (kinds.length === 0) throw new DomainError("FORBIDDEN", "Your role has nothing of this page");
  const tabs = [everything(kinds), ...kinds];
  const [first] = tabs;
  const asked = visit.c.req.query("tab");
  const tab = tabs.find(({ name }) => name === asked) ?? first;
  const links = tabs.map(
    ({ name, title, total, isAtLeast }) =>
      html`<a href="${visit.base}/to-do?tab=${name}"${name === tab?.name ? raw(' aria-current="page"') : ""}>${title} <span class="count">${total}${isAtLeast ? "+" : ""}</span></a> `,
  );
  const content = html`<nav class="tabs" aria-label="Kinds">${links}</nav><section class="card">${tab ? tabTable(visit, tab) : ""}${
    tab?.name === "payments" ? changeAll(visit, ask, { failed_payment: "true" }, tab.total) : ""
  }</section>`;
  return layout(visit, { title: "To do", content });
}

function tabTable({ account }: StaffVisit, { title, empty, items, total }: Tab): Html {
  if (items.length === 0) return html`<p class="good">${empty}</p>`;
  const rows = items
    .slice(0, shown)
    .map(({ since, owed, whose, why, next, actions }) => [
      sinceText(since, account.timezone),
      whose,
      why,
      next,
      html`${actions}`,
      owed ?? "–",
    ]);
  const more = total > rows.length ? html`<p class="quiet">The oldest ${rows.length} of ${total}.</p>` : "";
  return html`${table({
    caption: title,
    columns: ["Since", "Whose", "Why", "By itself", "You can", { head: "Owed", isNumber: true }],
    rows,
  })}${more}`;
}

const { waitingPayments, waitingBilling, waitingDeclarations, waitingEndpoints } = countingCalls;

/** The lists of all that waits. Those that are counted on every page are asked for in the place of the counting ones. */
export const toDoCalls = {
  reviews: { id: "listAllBillingAttempts", query: { status: "REVIEW", limit } },
  waitingPayments: { ...waitingPayments, query: { ...waitingPayments.query, limit: String(shown) } },
  waitingBilling: { ...waitingBilling, query: { ...waitingBilling.query, limit } },
  waitingDeclarations: { ...waitingDeclarations, query: { ...waitingDeclarations.query, limit } },
  waitingEndpoints,
} as const satisfies Record<string, PageCall>;

type Answered = { [Name in keyof typeof toDoCalls]?: PageAnswer<(typeof toDoCalls)[Name]["id"]> };

/** Since which day something waits: a day, or an instant by the shop's clock. */
export function sinceText(since: string, timezone: string): string {
  return since.includes("T") ? dayOf("en", since, timezone) : day("en", since);
}

/** The kinds of what waits that the role may see, each with its items, the oldest first. */
export function tabsOf(visit: StaffVisit, ask: AskAsStaff, answered: Answered): Tab[] {
  const { reviews, waitingPayments: episodes, waitingBilling: blocked } = answered;
  const { waitingDeclarations: declarations, waitingEndpoints: endpoints } = answered;
  const kinds: (Tab | undefined)[] = [
    episodes && {
      ...tabOf("payments", "Failed payments", "Nobody owes a payment.", episodes.meta),
      items: episodes.data.map((one) => episodeItem(visit, ask, one)),
    },
    reviews && {
      ...tabOf("reviews", "Charges to review", "No charge waits for a person.", reviews.meta),
      items: reviews.data.map((one) => reviewItem(visit, ask, one)),
    },
    ...(blocked ? blockedTabs(visit, ask, blocked) : []),
    declarations && {
      ...tabOf("declarations", "Declarations", "Every declaration is answered.", declarations.meta),
      items: declarations.data.map((one) => declarationItem(visit, ask, one)),
    },
    endpoints && endpointTab(visit, ask, endpoints.data),
  ];
  const tabs = kinds.filter((tab) => tab !== undefined);
  for (const { items } of tabs) items.sort((a, b) => a.since.localeCompare(b.since));
  return tabs;
}

type Meta = { total: number; total_is_estimate: boolean };

function tabOf(
  name: string,
  title: string,
  empty: string,
  { total, total_is_estimate }: Meta,
): Omit<Tab, "items"> {
  return { name, title, empty, total, isAtLeast: total_is_estimate };
}

/** All of them, those with money first. */
function everything(tabs: Tab[]): Tab {
  const items = tabs.flatMap((tab) => tab.items);
  items.sort(
    (a, b) => Number(b.owed !== undefined) - Number(a.owed !== undefined) || a.since.localeCompare(b.since),
  );
  const total = tabs.reduce((sum, tab) => sum + tab.total, 0);
  return {
    ...tabOf("all", "All", "Nothing waits for anybody.", {
      total,
      total_is_estimate: tabs.some(({ isAtLeast }) => isAtLeast),
    }),
    items,
  };
}

type Rows = {
  episodes: PageAnswer<"listAllDunningEpisodes">["data"][number];
  attempts: PageAnswer<"listAllBillingAttempts">["data"][number];
  blocked: PageAnswer<"listSubscriptions">;
  declarations: PageAnswer<"listDeclarations">["data"][number];
  endpoints: PageAnswer<"listWebhookEndpoints">["data"];
};

function episodeItem(visit: StaffVisit, ask: AskAsStaff, one: Rows["episodes"]): Item {
  const { subscription_id: id, subscription_number: number, customer_name, next_retry_at: next } = one;
  return {
    since: one.opened_at,
    owed: money("en", one.amount, one.currency_code),
    whose: html`${customer_name ?? "–"} ${subscriptionLink(visit, { id, number })}`,
    why: one.last_error_message ?? "not known",
    next:
      next === null
        ? "Nothing: it waits for another card"
        : `It is tried again on ${moment("en", next, visit.account.timezone)}, ${one.attempt_count} of ${one.max_attempts} so far`,
    actions: subscriptionForm(visit, ask, id, "retry-payment", "Try again now"),
  };
}

/** The way to a form of a subscription's own page; nothing where the member's role has not its operation. */
function subscriptionForm(visit: StaffVisit, ask: AskAsStaff, id: string, name: string, text: string): Html {
  const form = subscriptionSubject.forms[name];
  if (!form || !ask.reaches(visit, form.operation)) return html``;
  return html`<a href="${visit.base}/subscriptions/${id}/${name}">${text}</a> `;
}

function reviewItem(visit: StaffVisit, ask: AskAsStaff, one: Rows["attempts"]): Item {
  const values = { id: one.id };
  return {
    since: one.created_at,
    owed: money("en", one.amount, one.currency_code),
    whose: html`${subscriptionLink(visit, { id: one.subscription_id, number: `cycle ${one.cycle}` })}`,
    why: one.error_message ?? "It is not known whether it was paid",
    next: "Nothing is charged until this is settled",
    actions: html`${formLink(visit, ask, { name: "settle-charged", form: toDoForms["settle-charged"], text: "It was paid", values })}
      ${formLink(visit, ask, { name: "settle-uncharged", form: toDoForms["settle-uncharged"], text: "It was not paid", values })}`,
  };
}

/** Billing that stands still for the merchant, apart from what only an address is missing of. Reviews have a tab of their own. */
function blockedTabs(visit: StaffVisit, ask: AskAsStaff, { data, meta }: Rows["blocked"]): Tab[] {
  const others = data.filter(
    ({ billing_blocked_reason: reason }) => !(reviewCodes as readonly (string | null)[]).includes(reason),
  );
  const isWithoutAddress = (one: (typeof data)[number]) => one.billing_blocked_reason === addressMissing;
  const tab = (name: string, title: string, empty: string, rows: typeof data): Tab => ({
    ...tabOf(name, title, empty, { total: rows.length, total_is_estimate: meta.total > data.length }),
    items: rows.map((one) => blockedItem(visit, ask, one)),
  });
  return [
    tab(
      "waiting",
      "Billing that waits",
      "No billing waits for the shop.",
      others.filter((one) => !isWithoutAddress(one)),
    ),
    tab("addresses", "Addresses missing", "No address is missing.", others.filter(isWithoutAddress)),
  ];
}

function blockedItem(visit: StaffVisit, ask: AskAsStaff, one: Rows["blocked"]["data"][number]): Item {
  const { id, billing_blocked_reason: reason, next_billing_date: due } = one;
  const { why, next } = blocks[reason ?? ""] ?? {
    why: wordOf(reason ?? "not known"),
    next: "It is tried again by itself once that is put right",
  };
  return {
    since: due !== null && due <= todayOf(visit) ? due : one.updated_at,
    owed: money("en", one.total, one.currency_code),
    whose: html`${customerLink(visit, one.profile)} ${subscriptionLink(visit, one)}`,
    why,
    next: due === null ? next : `${next} (due ${day("en", due)})`,
    actions:
      reason === "disputed" ? subscriptionForm(visit, ask, id, "resume-billing", "Bill again") : html``,
  };
}

const blocks: Record<string, { why: string; next: string }> = {
  [addressMissing]: {
    why: "The delivery address is not complete",
    next: "The customer was asked for it; it is charged once the address is there",
  },
  [importHeld]: {
    why: "It was moved in and is not released",
    next: "Nothing is charged until the import is released",
  },
  disputed: { why: "The customer disputes a payment", next: "Nothing is charged until a person decides" },
};

function declarationItem(visit: StaffVisit, ask: AskAsStaff, one: Rows["declarations"]): Item {
  const [matched] = one.matched_subscription_ids;
  const { name, email, number } = one.given;
  const said = [name, email].filter(Boolean).join(", ");
  return {
    since: one.received_at,
    whose: html`${said}${number === null ? "" : ` (#${number})`} ${matched ? subscriptionLink(visit, { id: matched, number: "matched" }) : ""}`,
    why:
      one.kind === "withdrawal"
        ? "They withdraw from the contract"
        : "They cancel; no subscription was found for sure",
    next: "Its receipt was mailed; nothing else happens",
    actions: formLink(visit, ask, {
      ...{
        name: "answer-declaration",
        form: toDoForms["answer-declaration"],
        text: "Close",
        values: { id: one.id },
      },
    }),
  };
}

function endpointTab(visit: StaffVisit, ask: AskAsStaff, endpoints: Rows["endpoints"]): Tab {
  const failing = endpoints.filter(isFailing);
  return {
    ...tabOf("endpoints", "Failing endpoints", "Every endpoint takes its events.", {
      total: failing.length,
      total_is_estimate: false,
    }),
    items: failing.map(({ id, url, is_enabled, disabled_reason, failing_since, updated_at }) => ({
      since: failing_since ?? updated_at,
      whose: url,
      why: disabled_reason === "gone" ? "It says that it is gone" : "It does not take events",
      next: is_enabled ? "Each event is tried again for days" : "It is switched off, and no event is sent",
      actions: html`${is_enabled ? "" : formLink(visit, ask, { name: "enable-endpoint", form: toDoForms["enable-endpoint"], text: "Switch on", values: { id } })}
        ${formLink(visit, ask, { name: "test-endpoint", form: toDoForms["test-endpoint"], text: "Send a test", values: { id } })}
        ${formLink(visit, ask, { name: "recover-endpoint", form: toDoForms["recover-endpoint"], text: "Send what it missed", values: { id, since: failing_since ?? updated_at } })}`,
    })),
  };
}
