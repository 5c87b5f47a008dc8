import type { z } from "@hono/zod-openapi";
import { html } from "hono/html";
import { day, dayOf, moment, money } from "../../../base/language/format.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import type { SubscriptionExplanation } from "../../../domain/explain/schemas.ts";
import type { ActivityFeed } from "../../activity-logs/schemas.ts";
import type { Html } from "../../pages/document.ts";
import { factRows } from "../../pages/facts.ts";
import { addressBlock } from "../../pages/lines.ts";
import { type StaffVisit, todayOf } from "./console-env.ts";
import { layout } from "./layout.ts";
import { customerLink } from "./links.ts";
import { stateOf, table, wordOf } from "./table.ts";
import type { AskAsStaff } from "./visit.ts";

/** One subscription: its state and why, what comes next, what is in it, its charges, and what has happened, day by day. */
export async function subscriptionPage(visit: StaffVisit, ask: AskAsStaff, id: string): Promise<Html> {
  const path = { id };
  const today = todayOf(visit);
  const days = { start_date: addDays(today, -historyDays), end_date: today };
  const { subscription, explained, upcoming, attempts, activity } = await ask(
    visit,
    {
      subscription: { id: "getSubscription", path },
      explained: { id: "explainSubscription", path },
      upcoming: { id: "listUpcomingDeliveries", path, query: { count: "3" } },
    },
    {
      attempts: { id: "listBillingAttempts", path, query: { limit: "5" } },
      activity: { id: "listActivityLogs", query: { ...days, subscription_id: id, limit: "25" } },
    },
  );
  const { data: one } = subscription;
  const amount = (value: number, currency = one.currency_code) => money("en", value, currency);
  const frequency = one.frequency_label.charAt(0).toLowerCase() + one.frequency_label.slice(1);
  const title = `${one.profile.full_name || one.profile.email} · ${frequency} · ${amount(one.total)}`;
  const coming = upcoming.data.map((each) => [
    day("en", each.delivery_date),
    each.is_billed ? day("en", each.billing_date) : "is paid for",
    each.is_at_risk ? "depends on a payment" : "",
    amount(each.total, each.currency_code),
  ]);
  const lines = one.lines.map((line) => [
    [line.product_title, line.variant_title].filter(Boolean).join(", "),
    String(line.quantity),
    amount(line.line_total),
  ]);
  const charges = attempts?.data.map((attempt) => [
    dayOf("en", attempt.created_at, visit.account.timezone),
    stateOf(attempt.status),
    attempt.error_message ?? "",
    amount(attempt.amount, attempt.currency_code),
  ]);
  const content = html`<p>${stateOf(one.status)} · #${one.number}</p>${whyLine(explained.data)}
    <div class="columns"><div>
      ${card("Next deliveries", { columns: ["Delivery", "Charged on", "Doubt", numberOf("Amount")], rows: coming }, "None is to come.")}
      ${card("Contents", { columns: ["What", numberOf("Quantity"), numberOf("Price")], rows: lines }, "There is nothing in it.")}
      ${charges ? card("Charges", { columns: ["When", "State", "Why", numberOf("Amount")], rows: charges }, "There was none yet.") : ""}
      ${activity ? timeline(visit, activity.data) : ""}
    </div><div><section class="card"><h2>Facts</h2><dl>${factRows([
      ["Customer", customerLink(visit, one.profile)],
      ["Address", one.delivery_address ? addressBlock(one.delivery_address) : "–"],
      ["Instructions", one.delivery_instructions || "–"],
      ["Card", [one.payment_method_brand, one.payment_method_last4].filter(Boolean).join(" ") || "–"],
      ["Slot", one.delivery_slot?.label ?? "–"],
      ["Note", one.note ?? "–"],
      ["Id", one.id],
      ["Contract", one.store_contract_id === null ? "–" : String(one.store_contract_id)],
    ])}</dl></section></div></div>`;
  return layout(visit, { title, content });
}

/** The days of which the timeline shows what has happened. */
const historyDays = 90;

type Explained = z.output<typeof SubscriptionExplanation>["data"];
type Entries = z.output<typeof ActivityFeed>["data"];

/** Why it is as it is, what stands in the way of billing, and what happens by itself. */
function whyLine({ why, blocked_by, next }: Explained): Html {
  const [first] = next;
  return html`<section class="card"><h2>Why</h2>${why.map(({ fact }) => html`<p>${fact}</p>`)}
    ${blocked_by ? html`<p class="alert">${blocked_by.fact}</p>` : ""}
    ${first ? html`<p class="quiet">Next: ${first.what} ${first.depends_on ?? ""}</p>` : ""}</section>`;
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

/** The entries of the history, newest first, under their days. */
function timeline({ account }: StaffVisit, entries: Entries): Html {
  const byDay = Map.groupBy(entries, ({ created_at }) => dayOf("en", created_at, account.timezone));
  return html`<section class="card"><h2>What has happened</h2>${
    entries.length === 0 ? html`<p class="quiet">Nothing in the last ${historyDays} days.</p>` : ""
  }${[...byDay].map(
    ([date, its]) =>
      html`<h3>${date}</h3><ul>${its.map(
        ({ action, actor_type, actor_name, description, created_at }) =>
          html`<li><time datetime="${created_at}" title="${moment("en", created_at, account.timezone)}">${wordOf(action)}</time>
          <span class="quiet">by ${actor_name ?? actor_type ?? "system"}</span>${description ? html` ${description}` : ""}</li>`,
      )}</ul>`,
  )}</section>`;
}
