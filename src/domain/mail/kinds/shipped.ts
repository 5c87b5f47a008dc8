import { eventTypes } from "../../../base/event-types.ts";
import { getOrder, type OrderRow } from "../../orders/queries.ts";
import { factsOfOrder, subscriptionOf } from "../facts/order.ts";
import type { MailKindDefinition } from "../mail-kind.ts";
import type { OfOrder } from "../render/facts.ts";
import { orderPlaceholders } from "../render/placeholders.ts";
import { dateRow, listLines } from "../render/view.ts";

type Facts = OfOrder & {
  tracking: { company: string | null; number: string | null; url: string | null } | null;
};

/** An order that is on its way. The store tells of those that it has sold by itself. */
export const shipped: MailKindDefinition<"shipped", Facts> = {
  name: "shipped",
  description: "An order that is on its way, with its tracking.",
  events: [eventTypes.order_fulfilled],
  placeholders: {
    ...orderPlaceholders,
    tracking_url: (_, { tracking }) => tracking?.url ?? null,
  },
  async prepare(ctx, event): Promise<Facts> {
    const order = await getOrder(ctx, event.loggable_id);
    return {
      ...factsOfOrder(ctx, order, await subscriptionOf(ctx, order)),
      tracking: trackingOf(order),
    };
  },
  letter(view, facts) {
    const { words, day, product } = view;
    const texts = words.shipped;
    const { order_number, delivery_date, tracking } = facts;
    const goods = product(facts.lines);
    const url = tracking?.url ?? "";
    return {
      subject: texts.subject(order_number),
      intro: [delivery_date === null ? texts.firstUndated(goods) : texts.first(goods, day(delivery_date))],
      facts: [
        order_number === null ? null : { label: words.order, value: order_number },
        { label: words.items, value: listLines(facts.lines) },
        {
          label: words.trackingNumber,
          value: [tracking?.company, tracking?.number].filter(Boolean).join(" "),
        },
        dateRow(view, words.delivery, delivery_date),
      ],
      button:
        url === "" ? { text: words.manageSubscription, url: facts.manage_url } : { text: texts.button, url },
    };
  },
  sample: ({ subscription, deliveryDate }) => ({
    ...subscription,
    order_number: "1001",
    delivery_date: deliveryDate,
    tracking: { company: "UPS", number: "1Z999", url: "https://example.com/track/1Z999" },
  }),
};

function trackingOf({ tracking_company, tracking_number, tracking_url }: OrderRow) {
  if (tracking_company === null && tracking_number === null && tracking_url === null) return null;
  return { company: tracking_company, number: tracking_number, url: tracking_url };
}
