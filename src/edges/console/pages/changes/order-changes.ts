import { money } from "../../../../base/language/format.ts";
import type { ChangeRow } from "../../../pages/preview.ts";
import type { StaffVisit } from "../console-env.ts";
import { nameOfOrder } from "../links.ts";
import { wordOf } from "../table.ts";
import type { PageAnswer } from "../visit.ts";
import type { ChangeSubject, FormField, StaffChange } from "./change.ts";

type ShownOrder = PageAnswer<"getOrder">["data"];
type OrderChange = StaffChange<ShownOrder>;

const statuses: [string, string][] = [
  ["FULFILLED", "sent"],
  ["PARTIALLY_FULFILLED", "partly sent"],
  ["UNFULFILLED", "not sent yet"],
];

function fulfillmentForm(record: ShownOrder, status: string): FormField[] {
  return [
    {
      ...{ name: "fulfillment_status", label: "State", kind: "choice", value: status, isRequired: true },
      choices: statuses,
    },
    { name: "tracking_company", label: "Carrier", value: record.tracking_company },
    { name: "tracking_number", label: "Tracking number", value: record.tracking_number },
    { name: "tracking_url", label: "Address of the tracking page", value: record.tracking_url },
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
  names: ["fulfillment_status", "tracking_company", "tracking_number", "tracking_url"],
  bodyOf: (fields) => fields,
  rows: compareOrders,
} satisfies Partial<OrderChange>;

function amountLeft({ total, refunded_amount }: ShownOrder): number {
  return Math.max(0, total - refunded_amount);
}

const changes: Record<string, OrderChange> = {
  fulfill: {
    ...fulfillment,
    title: "Mark as sent",
    done: "The order is marked as sent.",
    isPossible: ({ status, fulfillment_status }) =>
      status !== "CANCELLED" && fulfillment_status !== "FULFILLED",
    form: ({ record }) => fulfillmentForm(record, "FULFILLED"),
  },
  track: {
    ...fulfillment,
    title: "Change the tracking",
    done: "The tracking was changed.",
    isPossible: ({ status, fulfillment_status }) =>
      status !== "CANCELLED" && fulfillment_status !== "UNFULFILLED",
    form: ({ record }) => fulfillmentForm(record, record.fulfillment_status),
  },
  refund: {
    title: "Pay back",
    done: "The refund was started. Its outcome stands under Refunds in a moment.",
    note: "The money goes back the way it came. This cannot be undone.",
    operation: "refundOrder",
    isPossible: (record) => amountLeft(record) > 0,
    names: ["amount", "reason"],
    form: ({ record }) => [
      { name: "amount", label: "Amount", kind: "amount", value: amountLeft(record), isRequired: true },
      { name: "reason", label: "Reason" },
    ],
    bodyOf: ({ amount, ...rest }) => ({ ...rest, amount: Number(amount) }),
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
    isPossible: ({ status, fulfillment_status }) =>
      status !== "CANCELLED" && fulfillment_status === "UNFULFILLED",
    names: ["reason", "refund"],
    form: () => [
      { name: "reason", label: "Reason" },
      {
        ...{ name: "refund", label: "The money", kind: "choice", value: "true", isRequired: true },
        choices: [
          ["true", "goes back to the customer"],
          ["false", "stays with the shop"],
        ],
      },
    ],
    bodyOf: ({ refund, ...rest }) => ({ ...rest, refund: refund === "true" }),
    rows: compareOrders,
    isDangerous: true,
    isShownAsCall: true,
  },
};

export const orderSubject: ChangeSubject<ShownOrder> = {
  folder: "orders",
  noun: "order",
  read: (id) => ({ id: "getOrder", path: { id } }),
  titleOf: (_, record) => `Order ${nameOfOrder(record)}`,
  history: (id) => ({ order_id: id }),
  changes,
};
