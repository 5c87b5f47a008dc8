import { confirmedIf } from "../../store-check/outcome.ts";
import { pause } from "../../store-check/run.ts";
import { bodyOf, type Lab, refusalIn } from "../lab.ts";
import { attach, confirm, makeCustomer, makeIntent, pay } from "../records.ts";
import { section } from "../section.ts";

export const webhooksSection = section({
  name: "webhooks",
  writes:
    "a webhook endpoint that is disabled at once and deleted, payments, and a customer, which is deleted",
  async prepare(lab: Lab) {
    const url = "https://example.com/perennial-check";
    const endpoint = bodyOf(await lab.post("webhook_endpoints", { url, enabled_events: ["refund.failed"] }));
    lab.atEnd("the webhook endpoint", async () =>
      bodyOf(await lab.remove(`webhook_endpoints/${endpoint.id}`)),
    );
    bodyOf(await lab.post(`webhook_endpoints/${endpoint.id}`, { disabled: true }));
    return { ...lab, lab, endpoint, customer: await makeCustomer(lab) };
  },
  checks: {
    "secret-shown-once": async ({ get, endpoint }) => {
      const { secret } = bodyOf(await get(`webhook_endpoints/${endpoint.id}`));
      return confirmedIf(
        /^whsec_/.test(endpoint.secret) && secret === undefined,
        secret === undefined ? "at creation alone" : "later too",
      );
    },
    "private-addresses": async ({ post }) => {
      const fields = { url: "http://localhost:8787/hooks", enabled_events: ["refund.failed"] };
      const answer = await post("webhook_endpoints", fields);
      return confirmedIf(refusalIn(answer) === "400 url_invalid", refusalIn(answer));
    },
    "events-of-a-payment": async ({ lab, customer }) => {
      const { id } = await pay(lab, customer);
      return happened(lab, id, ["payment_intent.created", "charge.succeeded", "payment_intent.succeeded"]);
    },
    "events-of-a-decline": async ({ lab, customer }) => {
      const payment_method = await attach(lab, customer, "pm_card_chargeCustomerFail");
      const { id } = await makeIntent(lab, { customer, payment_method });
      await confirm(lab, id);
      return happened(lab, id, ["payment_intent.created", "charge.failed", "payment_intent.payment_failed"]);
    },
    "events-of-a-refund": async ({ lab, customer }) => {
      const { id } = await pay(lab, customer);
      bodyOf(await lab.post("refunds", { payment_intent: id, amount: 300 }));
      return happened(lab, id, ["charge.refunded", "refund.created"]);
    },
  },
});

/** Whether there are these events of an intent. Events may come a moment after their cause. */
async function happened(lab: Lab, intent: string, types: string[]) {
  let missing: string[] = types;
  for (let looks = 1; looks <= 10 && missing.length > 0; looks += 1) {
    if (looks > 1) await pause(lab.pauseMs);
    const { data } = bodyOf(await lab.get("events", { types, limit: 100 }));
    const found = data.filter(
      ({ data: { object } }: Happening) => object.id === intent || object.payment_intent === intent,
    );
    missing = types.filter((type) => !found.some((event: Happening) => event.type === type));
  }
  return confirmedIf(
    missing.length === 0,
    missing.length === 0 ? types.join(", ") : `no ${missing.join(", ")}`,
  );
}

type Happening = { type: string; data: { object: { id: string; payment_intent?: string } } };
