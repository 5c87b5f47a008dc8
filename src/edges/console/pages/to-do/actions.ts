import { day, money } from "../../../../base/language/format.ts";
import type { StaffAction } from "../acting/action.ts";

type Charged = { dry_run?: { amount: number; currency_code: string; billing_date: string } | null };

const back = "/to-do";
const ofOne = { params: ["id"] } as const;

/** The charge that a dry run would make. */
function chargeIn(_: unknown, { dry_run: charge }: Charged): [string, string][] {
  if (!charge) return [["Charge", "none"]];
  return [
    ["Charge", money("en", charge.amount, charge.currency_code)],
    ["For", day("en", charge.billing_date)],
  ];
}

/** The changes that the rows of the inbox lead to. */
export const toDoActions = {
  "retry-payment": {
    ...ofOne,
    id: "retryPayment",
    title: "Try the payment again",
    button: "Charge now",
    says: "The payment is tried within a minute. If it fails again, the days of the next tries stay as they are.",
    facts: chargeIn,
    back,
    isDanger: true,
  },
  "settle-charged": {
    ...ofOne,
    id: "settleBillingAttempt",
    title: "The payment was made",
    button: "Settle as paid",
    says: "Look for the payment at the store first. The cycle then counts as paid, and nothing is charged.",
    fields: [
      { name: "store_order_id", label: "The order’s id at the store", kind: "text", isRequired: true },
      { name: "amount", label: "Amount", kind: "number", help: "where another one was paid" },
    ],
    body: (values) => ({ charged: true, ...values }),
    back,
  },
  "settle-uncharged": {
    ...ofOne,
    id: "settleBillingAttempt",
    title: "The payment was not made",
    button: "Settle as not paid",
    says: "Look for the payment at the store first. The cycle is then charged again, once.",
    body: () => ({ charged: false }),
    back,
    isDanger: true,
  },
  "resume-billing": {
    ...ofOne,
    id: "resumeBilling",
    title: "Bill again after a dispute",
    button: "Bill again",
    says: "What fell due meanwhile is charged within a minute or so.",
    back,
    isDanger: true,
  },
  "answer-declaration": {
    ...ofOne,
    id: "answerDeclaration",
    title: "Close a declaration",
    button: "Close it",
    says: "Do first what it asks for. CARRIED_OUT: that was done. ANSWERED: its sender was answered otherwise.",
    fields: [
      {
        name: "status",
        label: "How",
        kind: "choice",
        choices: ["CARRIED_OUT", "ANSWERED"],
        isRequired: true,
      },
      { name: "note", label: "Note", kind: "long" },
    ],
    back,
  },
  "enable-endpoint": {
    ...ofOne,
    id: "updateWebhookEndpoint",
    title: "Send events to an endpoint again",
    button: "Send again",
    says: "New events are sent to it from now on. What it has missed is sent by recovering it.",
    body: () => ({ is_enabled: true }),
    back,
  },
  "test-endpoint": {
    ...ofOne,
    id: "testWebhookEndpoint",
    title: "Send a test event",
    button: "Send it",
    says: "One event of the type webhook.test is sent within seconds.",
    back,
  },
  "recover-endpoint": {
    ...ofOne,
    id: "recoverWebhookEndpoint",
    title: "Send again what an endpoint has missed",
    button: "Send again",
    fields: [
      {
        name: "since",
        label: "Since",
        kind: "text",
        isRequired: true,
        help: "a date or an instant, such as 2026-11-28T08:00:00Z",
      },
    ],
    back,
  },
} as const satisfies Record<string, StaffAction>;
