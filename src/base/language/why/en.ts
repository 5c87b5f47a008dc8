/**
 * The sentences that explain a subscription and its payments, as explain answers them and pages and mails show them. The other languages
 * have the same ones. Who acted comes as `by`, one of the phrases of that name after a space, or nothing.
 */
export const en = {
  by: {
    you: " by you",
    customer: " by the customer",
    shop: " by the shop",
    named: (name: string) => ` by ${name}`,
  },
  failed: (amount: string, reason: string) => `The payment of ${amount} failed: ${reason}.`,
  failedOn: (amount: string, date: string, product: string, reason: string) =>
    `On ${date}, the payment of ${amount} for ${product} failed: ${reason}.`,
  question:
    "There is an open question about a payment. Until it is settled, we charge nothing and plan no new deliveries. You don’t need to do anything here.",
  /** Why nothing is charged for now. */
  waits: {
    address:
      "We need a complete address to deliver to. Nothing is charged until you have given it; then it continues automatically.",
    held: "Your subscription has been moved here, and nothing is charged until the shop has released it. You don’t need to do anything.",
    review:
      "The shop is checking whether a payment went through. Until then nothing further is charged. You don’t need to do anything.",
    stock: "Something is out of stock. The shop tries again automatically, and charges nothing until then.",
    shop: "The shop cannot take payments at the moment. It tries again automatically, and charges nothing until then. You don’t need to do anything.",
  },
  states: {
    active: "The subscription is active.",
    created: "The subscription has been active since it was taken out.",
    resumed: (by: string) => `The subscription was resumed${by}.`,
    restarted: (by: string) => `The subscription was started again${by}.`,
    recovered: "The payment that was owed has been made.",
    undone: (by: string) => `An earlier change was taken back${by}.`,
    paused: (by: string, until: string | null, reason: string | null) =>
      `The subscription was paused${by}${until === null ? "" : ` until ${until}`}${reason === null ? "." : `: ${reason}`}`,
    pausedUnpaid: "The subscription was paused, because a payment was not made.",
    cancelled: (by: string, reason: string | null) =>
      `The subscription was cancelled${by}${reason === null ? "." : `: ${reason}`}`,
    cancelledUnpaid: "The subscription was cancelled, because a payment was not made.",
    ended: "The subscription has ended, because its last payment was for the last of its cycles.",
    unpaid: "A payment was not made, and it is not tried again automatically.",
    skipped: (by: string) => `A delivery was skipped${by}.`,
    moved: (by: string) => `The next delivery was moved${by}.`,
  },
  next: {
    charge: (amount: string) => `${amount} is charged.`,
    retry: (amount: string) => `The payment of ${amount} is tried again.`,
    delivery: (product: string) => `The next delivery comes: ${product}.`,
    pauseEnds: "The pause ends.",
    confirmationEnds: (amount: string) => `The payment of ${amount} can be confirmed until then.`,
    unpaid: {
      fail: "The payment is given up, and there are no deliveries until it is made.",
      pause: "The subscription is paused.",
      cancel: "The subscription is cancelled.",
    },
    ifPaid: "The payment has to succeed.",
    ifPayable: "There has to be a payment method that can be charged.",
    ifBilled: "Billing has to go on.",
    ifUnpaid: "The payment is not made before.",
  },
  parts: {
    line: (title: string, quantity: number) => (quantity === 1 ? title : `${quantity} × ${title}`),
    planned: "Discount for subscribing",
    otherAmount: "The store has charged another amount",
  },
  now: {
    due: (date: string) => `It was due on ${date}.`,
    afterWait: "Billing had to wait before, and was tried again.",
    shipNow: (by: string) => `Charging and shipping at once was asked for${by}.`,
    retry: (by: string) => `Another try was asked for${by}.`,
    again: "The payment had failed before, and was tried again.",
    switched: (by: string) => `The payment method was changed${by}, and a payment was owed.`,
  },
  outcomes: {
    queued: (amount: string) => `The payment of ${amount} has not been sent yet.`,
    running: (amount: string) => `The payment of ${amount} is being made.`,
    unconfirmed: (amount: string) => `The payment of ${amount} has to be confirmed by the customer.`,
    inReview: (amount: string) => `The shop is checking whether the payment of ${amount} went through.`,
    paid: (amount: string, date: string) => `On ${date}, ${amount} was paid.`,
    withdrawn: (amount: string) => `The payment of ${amount} was withdrawn. Nothing was charged.`,
  },
};

export type WhyWords = typeof en;
