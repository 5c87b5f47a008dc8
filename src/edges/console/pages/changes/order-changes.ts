import { money } from "../../../../base/language/format.ts";
import { nameOfGoods } from "../../../../base/language/names.ts";
import { toMajor, toMinor } from "../../../../base/lib/money.ts";
import { isKeptByStore } from "../../../../domain/own-orders/kept-here.ts";
import { refundBound } from "../../../../domain/own-orders/support-bound.ts";
import type { ChangeRow } from "../../../pages/preview.ts";
import type { StaffVisit } from "../console-env.ts";
import type { Field, Lists } from "../forms/fields.ts";
import type { FormSubject, StaffForm } from "../forms/form.ts";
import { nameOfOrder } from "../links.ts";
import { wordOf } from "../table.ts";
import type { PageAnswer } from "../visit.ts";
import { paidForLines } from "./paid-for-lines.ts";

type ShownOrder = PageAnswer<"getOrder">["data"];
type OrderForm = StaffForm<ShownOrder>;

const statuses: [string, string][] = [
  ["FULFILLED", "sent"],
  ["PARTIALLY_FULFILLED", "partly sent"],
  ["UNFULFILLED", "not sent yet"],
];

function fulfillmentFields(status: Field<ShownOrder>["value"]): Field<ShownOrder>[] {
  return [
    {
      ...{ name: "fulfillment_status", label: "State", kind: "choice", isRequired: true },
      ...{ value: status, choices: statuses },
    },
    { name: "tracking_company", label: "Carrier", value: ({ record }) => record.tracking_company },
    { name: "tracking_number", label: "Tracking number", value: ({ record }) => record.tracking_number },
    {
      ...{ name: "tracking_url", label: "Address of the tracking page", kind: "url" },
      value: ({ record }) => record.tracking_url,
    },
  ];
}

function trackingOf(order: ShownOrder): string {
  const { tracking_company, tracking_number, tracking_url } = order;
  return [tracking_company, tracking_number, tracking_url].filter(Boolean).join("\n") || "none";
}

function compareOrders(_: StaffVisit, before: ShownOrder, answer: unknown): ChangeRow[] {
  const { data: after } = answer as { data: ShownOrder };
  const row = (label: string, tell: (one: ShownOrder) => string): ChangeRow => [
    label,
    tell(before),
    tell(after),
  ];
  return [
    row("Sent", ({ fulfillment_status }) => wordOf(fulfillment_status)),
    row("Tracking", trackingOf),
    row("State", ({ status }) => wordOf(status)),
  ];
}

const fulfillment = {
  operation: "fulfillOrder",
  rows: compareOrders,
} satisfies Partial<OrderForm>;

/** The amount that the member may have paid back: all that is left, or as much of it as their role's bound leaves. `pending` is under way already. */
function refundable(visit: StaffVisit, order: ShownOrder, pending = 0): number {
  const minor = (amount: number) => toMinor(amount, order.currency_code) ?? 0;
  const most = Math.min(minor(order.total), boundOf(visit) ?? minor(order.total));
  const left = most - minor(order.refunded_amount) - minor(pending);
  return toMajor(Math.max(0, left), order.currency_code);
}

function boundOf({ session, account }: StaffVisit): number | undefined {
  return refundBound({ role: session.role, account });
}

/** The lines of an order that can be paid back, each with its amount, which its value ends with. */
function lineChoices(order: ShownOrder): [value: string, words: string][] {
  const paid = paidForLines(order);
  return (order.lines ?? []).flatMap((line, index) => {
    const amount = paid[index] ?? 0;
    const words = `${line.quantity} × ${nameOfGoods(line)}: ${money("en", amount, order.currency_code)}`;
    return amount > 0 ? [[`${line.subscription_line_id}=${amount}`, words] as [string, string]] : [];
  });
}

/** The sum of the ticked lines; undefined where none is, which is all that is left. */
function sumOf(items: unknown): number | undefined {
  if (!Array.isArray(items) || items.length === 0) return undefined;
  const amounts = items.map((item) => Number(String(item).split("=").at(-1)));
  return Number(amounts.reduce((sum, amount) => sum + amount, 0).toFixed(4));
}

/** The amount that is being paid back, and does not count as such yet. */
function pendingOf({ refunds }: Lists): number {
  const pending = refunds?.data.filter(({ status }) => status === "PENDING") ?? [];
  return pending.reduce((sum, { amount }) => sum + amount, 0);
}

/** Whether an order is shipped, paid back and cancelled here, and not by the store that keeps it. */
function isOurs(order: ShownOrder, { account }: StaffVisit): boolean {
  return !isKeptByStore(account, order);
}

const forms: Record<string, OrderForm> = {
  fulfill: {
    ...fulfillment,
    title: "Mark as sent",
    done: "The order is marked as sent.",
    isPossible: (order, visit) =>
      isOurs(order, visit) && order.status !== "CANCELLED" && order.fulfillment_status !== "FULFILLED",
    fields: fulfillmentFields("FULFILLED"),
  },
  track: {
    ...fulfillment,
    title: "Change the tracking",
    done: "The tracking was changed.",
    isPossible: (order, visit) =>
      isOurs(order, visit) && order.status !== "CANCELLED" && order.fulfillment_status !== "UNFULFILLED",
    fields: fulfillmentFields(({ record }) => record.fulfillment_status),
  },
  refund: {
    title: "Pay back",
    done: "The refund was started. Its outcome stands under Refunds in a moment.",
    note: (visit, order) => {
      const most = money("en", refundable(visit, order), order.currency_code);
      const upTo =
        boundOf(visit) === undefined
          ? `Up to ${most} can be paid back.`
          : `You may pay back up to ${most} of this order.`;
      return `${upTo} The money goes back the way it came. This cannot be undone.`;
    },
    operation: "refundOrder",
    isPossible: (order, visit) => isOurs(order, visit) && refundable(visit, order) > 0,
    lists: (id) => ({ refunds: { id: "listOrderRefunds", path: { id } } }),
    fields: [
      {
        ...{ name: "items", label: "Items", kind: "choice", isList: true },
        help: "the ticked ones are paid back, less their share of the discounts and without shipping",
        choices: ({ record }) => lineChoices(record),
      },
      {
        ...{ name: "amount", label: "Amount", kind: "amount" },
        help: "empty: the ticked items, or all that is left; filled in, it counts in their place",
        value: ({ visit, record, lists }) =>
          lineChoices(record).length === 0 ? refundable(visit, record, pendingOf(lists)) : null,
      },
      { name: "reason", label: "Reason" },
    ],
    bodyOf: ({ amount, items, ...others }) => ({ ...others, amount: amount ?? sumOf(items) }),
    rows: (_, before, answer) => {
      const { data } = answer as { data: { amount: number } };
      const { refunded_amount, currency_code } = before;
      const paid = (amount: number) => money("en", amount, currency_code);
      return [["Paid back", paid(refunded_amount), paid(refunded_amount + data.amount)]];
    },
    isDangerous: true,
    isShownAsCall: true,
  },
  cancel: {
    title: "Cancel the order",
    done: "The order is cancelled.",
    note: "Nothing of it is sent. This cannot be undone.",
    operation: "cancelOrder",
    isPossible: (order, visit) =>
      isOurs(order, visit) && order.status !== "CANCELLED" && order.fulfillment_status === "UNFULFILLED",
    fields: [
      { name: "reason", label: "Reason" },
      {
        ...{ name: "refund", label: "The money", kind: "either", value: "true", isRequired: true },
        choices: [
          ["true", "goes back to the customer"],
          ["false", "stays with the shop"],
        ],
      },
    ],
    rows: compareOrders,
    isDangerous: true,
    isShownAsCall: true,
  },
};

export const orderSubject: FormSubject<ShownOrder> = {
  folder: "orders",
  noun: "order",
  read: (id) => ({ id: "getOrder", path: { id } }),
  titleOf: (_, record) => `Order ${nameOfOrder(record)}`,
  history: (id) => ({ order_id: id }),
  forms,
};
