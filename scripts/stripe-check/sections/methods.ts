import { confirmedIf } from "../../store-check/outcome.ts";
import { bodyOf, type Lab, refusalIn } from "../lab.ts";
import { attach, makeCustomer } from "../records.ts";
import { section } from "../section.ts";

export const methodsSection = section({
  name: "methods",
  writes: "customers, which are deleted, with payment methods and setup intents",
  async prepare(lab: Lab) {
    return { ...lab, lab, customer: await makeCustomer(lab) };
  },
  checks: {
    "token-is-new": async ({ lab, customer }) => {
      const [one, other] = [
        await attach(lab, customer, "pm_card_visa"),
        await attach(lab, customer, "pm_card_visa"),
      ];
      return confirmedIf(
        /^pm_/.test(one) && one !== other,
        one === other ? "both are one" : "each is another",
      );
    },
    "declined-is-not-attached": async ({ post, customer }) => {
      const answer = await post("payment_methods/pm_card_visa_chargeDeclined/attach", { customer });
      return confirmedIf(refusalIn(answer) === "402 card_declined", refusalIn(answer));
    },
    "method-of-one-customer": async ({ lab, post, customer }) => {
      const id = await attach(lab, customer, "pm_card_visa");
      const [same, other] = [
        await post(`payment_methods/${id}/attach`, { customer }),
        await post(`payment_methods/${id}/attach`, { customer: await makeCustomer(lab) }),
      ];
      return confirmedIf(
        same.status === 200 && other.status === 400,
        `the same: ${refusalIn(same)}, another: ${refusalIn(other)}`,
      );
    },
    "detached-is-over": async ({ lab, post, customer }) => {
      const id = await attach(lab, customer, "pm_card_visa");
      bodyOf(await post(`payment_methods/${id}/detach`));
      const again = await post(`payment_methods/${id}/attach`, { customer });
      return confirmedIf(again.status === 400, refusalIn(again));
    },
    "deleted-customers": async ({ lab, get, remove }) => {
      const { id } = bodyOf(await lab.post("customers", { name: "Perennial check" }));
      const method = await attach(lab, id, "pm_card_visa");
      bodyOf(await remove(`customers/${id}`));
      const { deleted } = bodyOf(await get(`customers/${id}`));
      const { customer } = bodyOf(await get(`payment_methods/${method}`));
      return confirmedIf(deleted === true && customer === null, `deleted: ${deleted}, method of ${customer}`);
    },
    "customers-by-email": async ({ lab, get, unique }) => {
      const email = `Perennial.${unique("a").replaceAll(/\W/g, "")}@example.com`;
      await makeCustomer(lab, { email });
      const found = async (address: string) => bodyOf(await get("customers", { email: address })).data.length;
      const [exact, lower] = [await found(email), await found(email.toLowerCase())];
      return confirmedIf(exact === 1 && lower === 0, `as written ${exact}, in small letters ${lower}`);
    },
    "setup-attaches": async ({ post, get, customer }) => {
      const { id } = bodyOf(await post("setup_intents", { customer, ...anyMethod }));
      const { status, payment_method } = bodyOf(
        await post(`setup_intents/${id}/confirm`, { payment_method: "pm_card_visa" }),
      );
      const method = bodyOf(await get(`payment_methods/${payment_method}`));
      return confirmedIf(
        status === "succeeded" && method.customer === customer,
        `${status}, ${method.customer === customer ? "of the customer" : "of nobody"}`,
      );
    },
    "setup-declined": async ({ post, customer }) => {
      const { id } = bodyOf(await post("setup_intents", { customer, ...anyMethod }));
      const answer = await post(`setup_intents/${id}/confirm`, {
        payment_method: "pm_card_visa_chargeDeclined",
      });
      return confirmedIf(
        answer.status === 402 && answer.body.error.setup_intent?.status === "requires_payment_method",
        `${refusalIn(answer)}, ${answer.body.error?.setup_intent?.status}`,
      );
    },
    "checkout-setup": async ({ post, get, customer }) => {
      const fields = {
        mode: "setup",
        customer,
        success_url: "https://example.com/?session={CHECKOUT_SESSION_ID}",
      };
      const without = await post("checkout/sessions", fields);
      const { id, url, setup_intent } = bodyOf(
        await post("checkout/sessions", { ...fields, currency: "eur" }),
      );
      bodyOf(await post(`checkout/sessions/${id}/expire`));
      const { status } = bodyOf(await get(`setup_intents/${setup_intent}`));
      return confirmedIf(
        without.status === 400 && url !== null && status === "canceled",
        `without a currency ${refusalIn(without)}; expired: the setup is ${status}`,
      );
    },
  },
});

const anyMethod = { automatic_payment_methods: { enabled: true, allow_redirects: "never" } };
