import { en as why } from "../why/en.ts";

/** Words that the portal and mails share. The other languages have the same ones. */
export const en = {
  why,
  /** The links to the pages of leaving, as the law words them (domain/declarations/rules.ts). */
  leaveHere: "Cancel contracts here",
  withdrawHere: "Withdraw from a contract here",
  help: "Questions? Write to",
  enter: "Open my subscriptions",
  andMore: (count: number) => `and ${count} more`,
  delivery: "Delivery",
  nextDelivery: "Next delivery",
  nextCharge: "Next charge",
  amount: "Amount",
  frequency: "Frequency",
  status: "Status",
  address: "Delivery address",
  payment: "Payment method",
  pausedUntil: "Paused until",
  /** In place of what there is none of: other languages have a gender for each. */
  none: {
    delivery: "None",
    charge: "None",
    amount: "Nothing",
    address: "None",
    slot: "None",
    instructions: "None",
    items: "None",
    payment: "None",
  },
  shipping: "Shipping",
  discount: "Discount",
  tax: "Tax",
  total: "Total",
  seller: "Sold by",
  manage: "Manage",
  confirmPayment: "Confirm the payment",
  statuses: {
    ACTIVE: "Active",
    PAUSED: "Paused",
    CANCELLED: "Cancelled",
    EXPIRED: "Ended",
    PAYMENT_FAILED: "Payment failed",
  },
  every: (unit: "DAY" | "WEEK" | "MONTH" | "YEAR", count: number) => {
    const noun = { DAY: "day", WEEK: "week", MONTH: "month", YEAR: "year" }[unit];
    return count === 1 ? `Every ${noun}` : `Every ${count} ${noun}s`;
  },
  cancelAfter: (count: number) =>
    `You can cancel after ${count} more ${count === 1 ? "payment" : "payments"}.`,
  cancelFrom: (count: number, date: string) =>
    `You can cancel after ${count} more ${count === 1 ? "payment" : "payments"}, from ${date}.`,
  /** Payment methods whose brand is no name. */
  brands: { sepa_debit: "SEPA debit" } as Record<string, string>,
  undo: "Undo",
  order: "Order",
  tracking: "Tracking",
  changePayment: "Change payment method",
  resume: "Resume",
  startAgain: "Start again",
  payNow: "Pay now",
  /** Why a payment has failed, at the end of a sentence. */
  reasons: {
    funds: "insufficient funds",
    expired: "the card has expired",
    removed: "the payment method was removed",
    unconfirmed: "it was not confirmed",
    declined: "the bank declined it",
    shop: "the shop cannot take payments at the moment",
    stock: "something is out of stock",
  },
};

export type Words = typeof en;
