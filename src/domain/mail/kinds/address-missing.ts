import { eventTypes } from "../../../base/event-types.ts";
import type { AddressField } from "../../../base/lib/places/postal-codes.ts";
import { readProspect } from "../../billing/upcoming/prospect.ts";
import { missingFieldsOf } from "../../subscriptions/address/complete-address.ts";
import { isAddressMissing } from "../../subscriptions/lifecycle.ts";
import { SilenceError } from "../facts/silence.ts";
import { factsOfSubscription, subscriptionUrl } from "../facts/subscription.ts";
import type { MailKindDefinition } from "../mail-kind.ts";
import type { OfSubscription } from "../render/facts.ts";
import { subscriptionPlaceholders } from "../render/placeholders.ts";
import { listLines } from "../render/view.ts";

type Facts = OfSubscription & {
  missing: AddressField[];
  /** The page where the customer gives the address. */
  address_url: string;
};

/** A delivery that waits for its address; silence once that is there, or billing waits no longer. */
export const addressMissing: MailKindDefinition<"address_missing", Facts> = {
  name: "address_missing",
  description: "What a delivery address lacks, and where to give it.",
  /** Billing waits for other things, too (migrations/0001_schema.sql, new_entries_insert). */
  events: [eventTypes.billing_waiting],
  placeholders: subscriptionPlaceholders,
  async prepare(ctx, event): Promise<Facts> {
    const prospect = await readProspect(ctx, event.loggable_id);
    const { row } = prospect.view;
    if (!isAddressMissing(row)) throw new SilenceError("outdated");
    return {
      ...factsOfSubscription(ctx, prospect),
      missing: missingFieldsOf(row),
      address_url: subscriptionUrl(ctx, row.id, "/address"),
    };
  },
  letter(view, facts) {
    const { words, product, amount } = view;
    const texts = words.address_missing;
    return {
      subject: texts.subject,
      intro: [
        texts.first(product(facts.lines), facts.missing.map((field) => texts.fields[field]).join(", ")),
        texts.next,
      ],
      facts: [
        { label: words.items, value: listLines(facts.lines) },
        { label: words.amount, value: amount(facts.amount, facts.currency_code) },
      ],
      button: { text: texts.button, url: facts.address_url },
    };
  },
  sample: ({ subscription, page }) => ({
    ...subscription,
    missing: ["zip"],
    address_url: page,
  }),
};
