import { confirmedIf } from "../../store-check/outcome.ts";
import { bodyOf, type Lab } from "../lab.ts";
import { attach, confirm, makeCustomer, makeIntent } from "../records.ts";
import { section } from "../section.ts";

export const authenticationSection = section({
  name: "authentication",
  writes: "payment intents, which are cancelled, one payment, and a customer, which is deleted",
  async prepare(lab: Lab) {
    const customer = await makeCustomer(lab);
    const intentOf = async (token: string): Promise<string> => {
      const payment_method = await attach(lab, customer, token);
      return (await makeIntent(lab, { customer, payment_method })).id;
    };
    return { ...lab, lab, intentOf };
  },
  checks: {
    "asked-off-session": async ({ lab, get, intentOf }) => {
      const id = await intentOf("pm_card_authenticationRequired");
      const { status, body } = await confirm(lab, id);
      const intent = bodyOf(await get(`payment_intents/${id}`));
      return confirmedIf(
        status === 402 &&
          body.error.code === "authentication_required" &&
          intent.status === "requires_payment_method" &&
          intent.last_payment_error.payment_method !== undefined,
        `${status} ${body.error?.code}/${body.error?.decline_code}, then ${intent.status}`,
      );
    },
    "asked-on-session": async ({ lab, intentOf }) => {
      const { body } = await confirm(lab, await intentOf("pm_card_authenticationRequired"), {});
      return confirmedIf(
        body.status === "requires_action" && body.next_action.type === "use_stripe_sdk",
        `${body.status}, ${body.next_action?.type}`,
      );
    },
    "asked-by-redirect": async ({ lab, intentOf }) => {
      const fields = { return_url: "https://example.com/" };
      const { body } = await confirm(lab, await intentOf("pm_card_authenticationRequired"), fields);
      return confirmedIf(
        body.status === "requires_action" && body.next_action.type === "redirect_to_url",
        `${body.status}, ${body.next_action?.type}`,
      );
    },
    "error-instead-of-asking": async ({ lab, intentOf }) => {
      const fields = { error_on_requires_action: true };
      const { status, body } = await confirm(lab, await intentOf("pm_card_authenticationRequired"), fields);
      return confirmedIf(
        status === 402 && body.error.code === "authentication_required",
        `${status} ${body.error?.code ?? body.status}`,
      );
    },
    "set-up-already": async ({ lab, intentOf }) => {
      const { body } = await confirm(lab, await intentOf("pm_card_authenticationRequiredSetupForOffSession"));
      return confirmedIf(body.status === "succeeded", body.status ?? body.error?.code);
    },
    "cancelled-while-asked": async ({ lab, post, intentOf }) => {
      const id = await intentOf("pm_card_authenticationRequired");
      await confirm(lab, id, {});
      const { body } = await post(`payment_intents/${id}/cancel`);
      return confirmedIf(body.status === "canceled", body.status ?? body.error?.code);
    },
    "confirmed-after-asked": async ({ lab, intentOf }) => {
      const id = await intentOf("pm_card_authenticationRequired");
      await confirm(lab, id);
      const { id: payment_method } = (await lab.get(`payment_intents/${id}`)).body.last_payment_error
        .payment_method;
      const { body } = await confirm(lab, id, { payment_method });
      return confirmedIf(body.status === "requires_action", body.status ?? body.error?.code);
    },
  },
});
