import type { StaffForm } from "../forms/form.ts";

const back = "/to-do";
const ofOne = { params: ["id"] } as const;

/** The forms that the rows of the inbox lead to, but those of the subscription itself. */
export const toDoForms = {
  "settle-charged": {
    ...ofOne,
    operation: "settleBillingAttempt",
    title: "The payment was made",
    button: "Settle as paid",
    note: "Look for the payment at the store first. The cycle then counts as paid, and nothing is charged.",
    fields: [
      { name: "store_order_id", label: "The order’s id at the store", kind: "text", isRequired: true },
      { name: "amount", label: "Amount", kind: "amount", help: "where another one was paid" },
    ],
    bodyOf: (values) => ({ charged: true, ...values }),
    back,
  },
  "settle-uncharged": {
    ...ofOne,
    operation: "settleBillingAttempt",
    title: "The payment was not made",
    button: "Settle as not paid",
    note: "Look for the payment at the store first. The cycle is then charged again, once.",
    bodyOf: () => ({ charged: false }),
    back,
    isDangerous: true,
  },
  "answer-declaration": {
    ...ofOne,
    operation: "answerDeclaration",
    title: "Close a declaration",
    button: "Close it",
    note: "Do first what it asks for. CARRIED_OUT: that was done. ANSWERED: its sender was answered otherwise.",
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
    operation: "updateWebhookEndpoint",
    title: "Send events to an endpoint again",
    button: "Send again",
    note: "New events are sent to it from now on. What it has missed is sent by recovering it.",
    bodyOf: () => ({ is_enabled: true }),
    back,
  },
  "test-endpoint": {
    ...ofOne,
    operation: "testWebhookEndpoint",
    title: "Send a test event",
    button: "Send it",
    note: "One event of the type webhook.test is sent within seconds.",
    back,
  },
  "recover-endpoint": {
    ...ofOne,
    operation: "recoverWebhookEndpoint",
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
} as const satisfies Record<string, StaffForm>;
