import { eventTypes } from "../../../base/event-types.ts";
import { cardOf } from "../../../base/language/names.ts";
import type { CalendarDate } from "../../../base/lib/time/dates.ts";
import type { Ctx } from "../../../kit/context.ts";
import { parseStored } from "../../../kit/journal/stored-json.ts";
import { findExpiring } from "../../billing/due/expiring-methods.ts";
import { readProspect } from "../../billing/upcoming/prospect.ts";
import { nextChargeOf } from "../facts/next-charge.ts";
import { SilenceError } from "../facts/silence.ts";
import { factsOfSubscription, portalPage, subscriptionUrl } from "../facts/subscription.ts";
import type { MailKindDefinition } from "../mail-kind.ts";
import type { Card, EveryMail, LetterLine } from "../render/facts.ts";
import { everyPlaceholder } from "../render/placeholders.ts";

type Facts = EveryMail & {
  card: Card;
  /** The last day of the card's month. */
  expires_on: CalendarDate;
  /** The living subscriptions that are paid with it. */
  subscriptions: {
    number: string;
    lines: LetterLine[];
    next_charge: { date: CalendarDate; amount: number; currency_code: string } | null;
  }[];
  /** The page where the customer chooses another payment method. */
  card_url: string;
};

/** A card that is about to expire; silence once another pays instead, it was renewed or taken away, or its time is over. */
export const cardExpiring: MailKindDefinition<"card_expiring", Facts> = {
  name: "card_expiring",
  description: "A card that expires soon, of a living subscription: 30 and 7 days before.",
  events: [eventTypes.payment_method_expiring],
  placeholders: {
    ...everyPlaceholder,
    brand: (_, { card }) => cardOf(card.brand, null),
    last4: (_, { card }) => card.last4,
    expires: ({ month }, { expires_on }) => month(expires_on),
  },
  async prepare(ctx, event, { profile: { first_name } }): Promise<Facts> {
    const { payment_method_id: id, expires_on } = parseStored(event.metadata) ?? {};
    const found = await findExpiring(ctx, String(id), String(expires_on));
    const [first, ...others] = found;
    if (!first) throw new SilenceError("outdated");
    return {
      first_name,
      timezone: ctx.account.timezone,
      card: { brand: first.brand, last4: first.last4 },
      expires_on: String(expires_on),
      subscriptions: await Promise.all(found.map(({ subscription_id }) => prepareOne(ctx, subscription_id))),
      card_url:
        others.length === 0
          ? subscriptionUrl(ctx, first.subscription_id, "/payment-method")
          : portalPage(ctx),
    };
  },
  letter(view, facts) {
    const { words, day, month, product } = view;
    const texts = words.card_expiring;
    const card = texts.card(cardOf(facts.card.brand, facts.card.last4)).trim();
    const until = month(facts.expires_on);
    const goods = product(facts.subscriptions.flatMap(({ lines }) => lines));
    const [first] = facts.subscriptions
      .map(({ next_charge }) => next_charge)
      .filter((charge) => charge !== null)
      .toSorted((a, b) => a.date.localeCompare(b.date));
    return {
      subject: texts.subject(card, until),
      intro: [
        [
          texts.first(card, until, goods),
          ...(first ? [words.nextChargeIs(view.amountOf(first), day(first.date))] : []),
        ].join(" "),
        texts.next,
      ],
      facts: facts.subscriptions.map(({ lines, next_charge: charge }) => ({
        label: product(lines),
        value:
          charge === null
            ? texts.none
            : words.labelled(words.nextCharge, `${view.amountOf(charge)}, ${day(charge.date)}`),
      })),
      button: { text: words.changePayment, url: facts.card_url },
    };
  },
  sample: ({ subscription, recipient, chargeDate, inDays, card, page }, ctx) => ({
    ...recipient,
    card,
    expires_on: inDays(30),
    subscriptions: [
      {
        number: "1001",
        lines: subscription.lines,
        next_charge: {
          date: chargeDate,
          amount: subscription.amount,
          currency_code: ctx.account.currency_code,
        },
      },
    ],
    card_url: page,
  }),
};

async function prepareOne(ctx: Ctx, id: string): Promise<Facts["subscriptions"][number]> {
  const prospect = await readProspect(ctx, id);
  const { view } = prospect;
  const { number, lines, currency_code } = factsOfSubscription(ctx, prospect);
  const charge = nextChargeOf(prospect);
  const isAhead = charge !== undefined && charge.billing >= view.today;
  return {
    number,
    lines,
    next_charge: isAhead ? { date: charge.billing, amount: charge.amounts.total, currency_code } : null,
  };
}
