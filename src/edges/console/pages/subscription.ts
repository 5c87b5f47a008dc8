import type { z } from "@hono/zod-openapi";
import { html } from "hono/html";
import { day, dayOf, moment, money } from "../../../base/language/format.ts";
import { cardOf, nameOfGoods } from "../../../base/language/names.ts";
import type { SubscriptionExplanation } from "../../../domain/explain/schemas.ts";
import type { Html } from "../../pages/document.ts";
import { type FactRow, factRows } from "../../pages/facts.ts";
import { addressBlock } from "../../pages/lines.ts";
import type { Shown } from "./changes/compare.ts";
import { subscriptionSubject, titleOf } from "./changes/subscription-changes.ts";
import type { StaffVisit } from "./console-env.ts";
import { portalForms } from "./customer-portal.ts";
import { doneNotice } from "./forms/done.ts";
import { historyCall } from "./forms/newest-entry.ts";
import { changeButtons, offeredOf } from "./forms/offers.ts";
import { layout } from "./layout.ts";
import { customerLink } from "./links.ts";
import { stateOfSubscription } from "./subscription-rows.ts";
import { stateOf, table } from "./table.ts";
import { historyPage, timeline } from "./timeline.ts";
import { type AskAsStaff, may, type PageAnswer } from "./visit.ts";

/** One subscription: its state and why, what comes next, what is in it, its charges, and what has happened, day by day. */
export async function subscriptionPage(visit: StaffVisit, ask: AskAsStaff, id: string): Promise<Html> {
  const path = { id };
  const { subscription, explained, upcoming, attempts, activity } = await ask(
    visit,
    {
      subscription: { id: "getSubscription", path },
      explained: { id: "explainSubscription", path },
      upcoming: { id: "listUpcomingDeliveries", path, query: { count: "3" } },
      activity: historyCall(visit, { subscription_id: id }, historyPage(visit)),
    },
    { attempts: { id: "listBillingAttempts", path, query: { limit: "5" } } },
  );
  const { data: one } = subscription;
  const amount = (value: number, currency = one.currency_code) => money("en", value, currency);
  const isInDoubt = upcoming.data.some(({ is_at_risk }) => is_at_risk);
  const coming = upcoming.data.map((each) => [
    day("en", each.delivery_date),
    each.is_billed ? day("en", each.billing_date) : "is paid for",
    ...(isInDoubt ? [each.is_at_risk ? "depends on a payment" : ""] : []),
    amount(each.total, each.currency_code),
  ]);
  const comingColumns = ["Delivery", "Charged on", ...(isInDoubt ? ["Doubt"] : []), numberOf("Amount")];
  const here = `${visit.base}/subscriptions/${id}`;
  const subject = subscriptionSubject;
  const offered = offeredOf(visit, ask, { subject, record: one });
  const charges = attempts?.data.map((attempt) => [
    chargeDay(visit, attempt),
    stateOf(attempt.status),
    attempt.error_message ?? "",
    amount(attempt.amount, attempt.currency_code),
  ]);
  const facts: FactRow[] = [
    ["Customer", customerLink(visit, one.profile)],
    ["Address", one.delivery_address ? addressBlock(one.delivery_address) : "none"],
    ["Card", cardOf(one.payment_method_brand, one.payment_method_last4) || "none"],
    ...known("Slot", one.delivery_slot?.label),
    ...known("Instructions", one.delivery_instructions),
    ...known("Note", one.note),
    ["Id", one.id],
    ...known("Contract", one.store_contract_id),
  ];
  const canUndo = ask.reaches(visit, "undoChange");
  const canChange = offered.some(([name]) => name === "add");
  const content = html`${doneNotice(visit, ask, { subject, id, entries: activity.data })}<p>${stateOfSubscription(one)} · #${one.number}</p>
    ${changeButtons(here, offered)}${whyLine(visit.account, explained.data)}
    <div class="columns"><div>
      ${card("Next deliveries", { columns: comingColumns, rows: coming }, "None is to come.")}
      ${contents(one, canChange ? here : undefined)}
      ${charges ? card("Charges", { columns: ["When", "State", "Why", numberOf("Amount")], rows: charges }, "There was none yet.") : ""}
      ${timeline(visit, activity, {
        currencyOf: () => one.currency_code,
        undoPath: canUndo ? `${here}/undo` : undefined,
      })}
    </div><div>${portalForms(visit, ask, `${visit.base}/customers/${one.profile.id}`)}<section class="card"><h2>Facts</h2><dl>${factRows(facts)}</dl></section></div></div>`;
  return layout(visit, { title: titleOf(visit, one), content });
}

/** The day of a charge, which leads to the order that it has paid for, where money is paid back. */
function chargeDay(
  visit: StaffVisit,
  { created_at, order_id }: PageAnswer<"listBillingAttempts">["data"][number],
): string | Html {
  const day = dayOf("en", created_at, visit.account.timezone);
  return order_id !== null && may(visit, "orders:read")
    ? html`<a href="${visit.base}/orders/${order_id}">${day}</a>`
    : day;
}

/** A fact where there is one. */
function known(label: string, value: string | number | null | undefined): FactRow[] {
  return value === null || value === undefined || value === "" ? [] : [[label, String(value)]];
}

/** The items and discounts, each with the ways to change it where the role may. */
function contents(one: Shown, here: string | undefined): Html {
  const amount = (value: number) => money("en", value, one.currency_code);
  const link = (name: string, query: string, text: string, of: string) =>
    here ? html`<a href="${here}/${name}?${query}">${text}<span class="hidden">: ${of}</span></a> ` : "";
  const items = one.lines.map((line) => {
    const name = nameOfGoods(line);
    const [change, remove] = [
      link("line", `line=${line.id}`, "Change", name),
      link("remove-line", `line=${line.id}`, "Remove", name),
    ];
    return [
      html`${name}${line.is_one_time ? " (once)" : ""} ${change}${remove}`,
      `${line.quantity} ×`,
      amount(line.line_total),
    ];
  });
  const discounts = one.discounts
    .filter(({ is_active }) => is_active)
    .map(
      ({ id, title }) =>
        html`<li>${title} ${link("remove-discount", `discount=${id}`, "Remove", title)}</li>`,
    );
  return html`${card("Contents", { columns: ["What", numberOf("Quantity"), numberOf("Price")], rows: items }, "There is nothing in it.")}
    ${discounts.length > 0 ? html`<section class="card"><h2>Discounts</h2><ul>${discounts}</ul></section>` : ""}`;
}

type Explained = z.output<typeof SubscriptionExplanation>["data"];

/** Why it is as it is, what stands in the way of billing, and what happens by itself. */
function whyLine({ timezone }: StaffVisit["account"], { why, blocked_by, next }: Explained): Html {
  return html`<section class="card"><h2>Why</h2>${why.map(({ fact }) => html`<p>${fact}</p>`)}
    ${blocked_by ? html`<p class="alert">${blocked_by.fact}</p>` : ""}
    ${next.length > 0 ? html`<h3>What happens by itself</h3><ul>${next.map(({ what, when, depends_on }) => html`<li>${whenText(when, timezone)}: ${what} <span class="quiet">${depends_on ?? ""}</span></li>`)}</ul>` : ""}</section>`;
}

/** A day, or an instant by the shop's clock. */
function whenText(when: string, timezone: string): string {
  return when.includes("T") ? moment("en", when, timezone) : day("en", when);
}

function numberOf(head: string) {
  return { head, isNumber: true } as const;
}

type Listed = Omit<Parameters<typeof table>[0], "caption">;

function card(title: string, listed: Listed, empty: string): Html {
  return html`<section class="card"><h2>${title}</h2>${
    listed.rows.length === 0 ? html`<p class="quiet">${empty}</p>` : table({ caption: title, ...listed })
  }</section>`;
}
