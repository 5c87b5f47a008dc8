import { en as words } from "../../../../base/language/words/en.ts";
import type { AddressField } from "../../../../base/lib/places/postal-codes.ts";
import type { ChangeKind, FinalAction, WayBack } from "../facts.ts";

/** The words of mails. The other languages have the same ones. Sentences with an amount or a date have it as the portal writes it. */
export const en = {
  ...words,
  labelled: (label: string, value: string) => `${label}: ${value}`,
  details: "Details",
  items: "Items",
  paidOn: "Paid on",
  changesUntil: "Changes until",
  cancelling: "How to cancel",
  nextTry: "Next try",
  ifUnpaid: "If it stays unpaid",
  confirmUntil: "Confirm until",
  trackingNumber: "Tracking number",
  validUntil: "Valid until",
  before: "before",
  manageSubscription: "Manage my subscription",
  writeToChange: "To change, pay or cancel anything, write to",
  answerToChange: "To change, pay or cancel anything, answer this e-mail.",
  cancelAnyTime: "At any time, on the page of your subscription.",
  cancelByShop: "Write to us, and we cancel it for you.",
  nextChargeIs: (amount: string, date: string) => `The next charge is ${amount} on ${date}.`,
  becauseSubscribed: (shop: string) => `You get this e-mail because you have a subscription at ${shop}.`,
  becauseAsked: (shop: string) =>
    `You get this e-mail because somebody asked ${shop} for a sign-in link for this address.`,
  login_link: {
    subject: (shop: string) => `Your link to sign in at ${shop}`,
    first: (shop: string, until: string) =>
      `This link opens your subscriptions at ${shop}. It works once, until ${until}.`,
    notAsked: "You did not ask for it? Then you don’t need to do anything: nobody gets in without the link.",
  },
  declaration: {
    subject: {
      cancellation: (shop: string) => `We have received your cancellation at ${shop}`,
      withdrawal: (shop: string) => `We have received your withdrawal at ${shop}`,
    },
    received: (when: string) => `Your declaration reached us on ${when}.`,
    ends: (date: string) => `Your subscription ends on ${date}. Nothing is charged from that day.`,
    endsAfterTerm: "Your subscription ends as soon as its minimum term is over.",
    continues: "It no longer counts: you have started your subscription again since.",
    open: {
      cancellation: "It takes effect as soon as your contract allows. We tell you the date.",
      withdrawal: "We look at it and answer you.",
    },
    declared: "What you declared",
    kinds: { cancellation: "Cancellation", withdrawal: "Withdrawal" },
    number: "Subscription or order number",
    from: "From when",
    soonest: "As soon as possible",
    grounds: "Grounds",
    ordinary: "Ordinary",
    cause: "For cause",
    reason: "Cause",
    notMe: "This was not me",
    notMeText: (until: string) => `You did not declare this? One click takes it back, until ${until}.`,
    because: (shop: string) =>
      `You get this e-mail because somebody gave this address on the cancellation page of ${shop}.`,
  },
  welcome: {
    subject: (product: string) => `Your subscription has started: ${product}`,
    first: (product: string, amount: string, date: string) =>
      `Your subscription to ${product} has started. The next charge is ${amount} on ${date}.`,
    firstUncharged: (product: string) => `Your subscription to ${product} has started.`,
  },
  annual_notice: {
    subject: (product: string) => `Your subscription continues: ${product}`,
    first: (product: string, amount: string) =>
      `You have a subscription to ${product}. It costs ${amount} each time and continues until you cancel it.`,
    next: "This is what we have agreed on. If all is as you want it, you don’t need to do anything.",
    button: "Cancel the subscription",
  },
  upcoming_charge: {
    subject: (amount: string, date: string) => `We charge ${amount} on ${date}`,
    first: (amount: string, date: string, product: string) =>
      `On ${date}, we charge ${amount} for ${product}.`,
    next: (until: string) =>
      `You can change or cancel it until ${until}. If all is as you want it, you don’t need to do anything.`,
    nextUncancellable: (until: string) =>
      `You can change it until ${until}. If all is as you want it, you don’t need to do anything.`,
    button: "Change or cancel",
  },
  receipt: {
    subject: (order: string, amount: string) => `${order}: ${amount} paid`,
    subjectUncharged: (order: string) => `${order}: nothing to pay`,
    yourOrder: (number: string | null) => (number === null ? "Your order" : `Your order ${number}`),
    paid: (amount: string, date: string, product: string) => `On ${date}, you paid ${amount} for ${product}.`,
    prepaid: (date: string, product: string) =>
      `On ${date}, your next delivery was ordered: ${product}. It is already paid, and nothing is charged.`,
    free: (date: string, product: string) =>
      `On ${date}, your next delivery was ordered: ${product}. Nothing is charged for it.`,
    delivery: (date: string) => `The delivery is planned for ${date}.`,
  },
  payment_failed: {
    subjectRetry: (amount: string, date: string) => `Your payment of ${amount} failed. Next try: ${date}`,
    subjectAct: (amount: string, date: string) => `Your payment of ${amount} failed. Please pay by ${date}`,
    subjectShop: (amount: string) => `Your payment of ${amount} is delayed`,
    retry: (date: string) =>
      `We try again on ${date}. You can also pay now, or choose another payment method.`,
    act: (date: string) =>
      `We will not try again automatically. Please pay by ${date}, or choose another payment method.`,
    change: (date: string) =>
      `We do not try this payment method again. Please choose another one by ${date}.`,
    shop: "We will try again automatically. You don’t need to do anything.",
    ifUnpaid: {
      fail: (date: string) => `No deliveries from ${date} until it is paid`,
      pause: (date: string) => `Your subscription is paused on ${date}`,
      cancel: (date: string) => `Your subscription ends on ${date}`,
    } satisfies Record<FinalAction, unknown>,
    alreadyPaid: "Paid already? Then you don’t need to do anything.",
  },
  confirm_payment: {
    subject: (amount: string, date: string) => `Please confirm your payment of ${amount} by ${date}`,
    first: (amount: string, until: string, product: string) =>
      `Your payment of ${amount} for ${product} is waiting for your confirmation until ${until}.`,
    next: "Your bank asks for it. Nothing is charged before you confirm, and your delivery waits until then.",
    already: "Confirmed already? Then you don’t need to do anything.",
  },
  address_missing: {
    subject: "We need your address for the next delivery",
    first: (product: string, missing: string) =>
      `Your delivery of ${product} is on hold, because your address is incomplete: ${missing}.`,
    next: "Nothing is charged until the address is complete. Then it continues automatically.",
    button: "Complete the address",
    fields: {
      address1: "street and number",
      city: "city",
      zip: "postal code",
      country_code: "country",
    } satisfies Record<AddressField, string>,
  },
  payment_ended: {
    first: (amount: string, date: string, product: string, reason: string) =>
      `The payment of ${amount} for ${product} did not succeed by ${date}: ${reason}.`,
    subject: {
      fail: (amount: string) => `No deliveries until ${amount} is paid`,
      pause: (amount: string) => `Your subscription is paused: ${amount} was not paid`,
      cancel: (amount: string) => `Your subscription has ended: ${amount} was not paid`,
    } satisfies Record<FinalAction, unknown>,
    now: {
      fail: "There are no deliveries until it is paid. Pay now, and they continue.",
      pause: "Your subscription is paused. Nothing is charged and nothing is sent until you resume it.",
      cancel: "Your subscription has ended, and nothing more is charged. You can start it again at any time.",
    } satisfies Record<FinalAction, string>,
  },
  card_expiring: {
    card: (card: string) => `Your card ${card}`,
    subject: (card: string, month: string) => `${card} expires at the end of ${month}`,
    first: (card: string, month: string, product: string) =>
      `${card} expires at the end of ${month}. It pays for ${product}.`,
    next: "Choose another payment method before it expires, and your deliveries continue as planned.",
    none: "No charge is planned",
  },
  changed: {
    subject: {
      paused: "Your subscription is paused",
      resumed: "Your subscription is active again",
      skipped: "Your next delivery comes later",
      unskipped: "The skip of a delivery is undone",
      rescheduled: "Your next delivery was moved",
      frequency: "The frequency of your subscription was changed",
      address: "Your delivery address was changed",
      lines: "The items of your subscription were changed",
      cancelled: "Your subscription is cancelled",
      reactivated: "Your subscription has started again",
      undone: "Your subscription is as it was before",
    } satisfies Record<ChangeKind, string>,
    first: {
      paused: (date: string) => `On ${date}, your subscription was paused`,
      resumed: (date: string) => `On ${date}, your subscription was resumed`,
      skipped: (date: string, count: number) =>
        count === 1
          ? `On ${date}, the next delivery was skipped`
          : `On ${date}, the next ${count} deliveries were skipped`,
      unskipped: (date: string) => `On ${date}, the skip of a delivery was undone`,
      rescheduled: (date: string) => `On ${date}, the next delivery was moved`,
      frequency: (date: string) => `On ${date}, the frequency of your subscription was changed`,
      address: (date: string) => `On ${date}, the delivery address of your subscription was changed`,
      lines: (date: string) => `On ${date}, the items of your subscription were changed`,
      cancelled: (date: string) => `On ${date}, your subscription was cancelled`,
      reactivated: (date: string) => `On ${date}, your subscription was started again`,
      undone: (date: string) => `On ${date}, a change of your subscription was undone`,
    } satisfies Record<ChangeKind, unknown>,
    byShop: (shop: string) => `${shop} made this change.`,
    nothingPaused: "Nothing is charged while it is paused.",
    nothingMore: "Nothing more is charged.",
    lastDelivery: (date: string) => `The last paid delivery is planned for ${date}.`,
    wayBack: {
      undo: {
        button: "Undo this change",
        sentence: "For a day you can undo this change, and everything is as it was before.",
      },
      resume: {
        button: "Resume the subscription",
        sentence: "If this is not what you want, you can resume it.",
      },
      unskip: {
        button: "Bring the delivery back",
        sentence: "If this is not what you want, you can bring the delivery back.",
      },
      reactivate: {
        button: "Start again",
        sentence: "You can start it again at any time.",
      },
    } satisfies Record<WayBack["kind"], object>,
  },
  price_change: {
    subject: (date: string, price: string) => `New price from ${date}: ${price}`,
    subjectUndated: (price: string) => `New price: ${price}`,
    first: (date: string, product: string, to: string, from: string) =>
      `From ${date}, ${product} costs ${to} instead of ${from}.`,
    firstUndated: (product: string, to: string, from: string) =>
      `${product} will cost ${to} instead of ${from}.`,
    later:
      "It applies from the first charge on, once your subscription is active again. Nothing is charged until then.",
    each: (price: string) => `${price} each`,
    cancelUntil: (until: string) =>
      `If you don’t want this, you can cancel until ${until}. Otherwise you don’t need to do anything.`,
    cancelAnyTime:
      "If you don’t want this, you can cancel at any time. Otherwise you don’t need to do anything.",
    nothingToDo: "You don’t need to do anything.",
    price: "Price per item",
    firstCharge: "First charge at the new price",
    amount: "Amount of that charge",
    button: "Cancel the subscription",
  },
  shipped: {
    subject: (number: string | null) =>
      number === null ? "Your order is on its way" : `Your order ${number} is on its way`,
    first: (product: string, date: string) =>
      `Your delivery is on its way, and should arrive on ${date}: ${product}.`,
    firstUndated: (product: string) => `Your delivery is on its way: ${product}.`,
    button: "Track the parcel",
  },
};

export type MailWords = typeof en;
