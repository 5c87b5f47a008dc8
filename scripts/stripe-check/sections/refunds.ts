import { confirmedIf, untestable } from "../../store-check/outcome.ts";
import { pause } from "../../store-check/run.ts";
import { bodyOf, type Lab, refusalIn } from "../lab.ts";
import { amount, makeCustomer, pay } from "../records.ts";
import { section } from "../section.ts";

export const refundsSection = section({
  name: "refunds",
  writes: "test payments with refunds and a dispute, which stay, and a customer, which is deleted",
  async prepare(lab: Lab) {
    const customer = await makeCustomer(lab);
    return { ...lab, lab, customer, payment: await pay(lab, customer) };
  },
  checks: {
    "refunded-in-part": async ({ post, get, payment }) => {
      const { status, charge } = bodyOf(await post("refunds", { payment_intent: payment.id, amount: 300 }));
      const { amount_refunded, refunded } = bodyOf(await get(`charges/${charge}`));
      return confirmedIf(
        status === "succeeded" && amount_refunded === 300 && refunded === false,
        `${status}, ${amount_refunded} of ${amount.amount}`,
      );
    },
    "refunded-once-by-key": async ({ post, unique, payment }) => {
      const refund = () =>
        post("refunds", { payment_intent: payment.id, amount: 100 }, { key: unique("refund") });
      const [one, other] = [bodyOf(await refund()), bodyOf(await refund())];
      return confirmedIf(one.id === other.id, one.id === other.id ? "one refund" : "two refunds");
    },
    "refunded-too-much": async ({ post, payment }) => {
      const answer = await post("refunds", { payment_intent: payment.id, amount: amount.amount });
      return confirmedIf(
        answer.status === 400 && answer.body.error.code === undefined && answer.body.error.param === "amount",
        `${refusalIn(answer)}, ${answer.body.error?.param}`,
      );
    },
    "refunds-listed": async ({ post, get, payment }) => {
      const { id } = bodyOf(
        await post("refunds", { payment_intent: payment.id, amount: 50, metadata: { key: "r" } }),
      );
      const { data } = bodyOf(await get("refunds", { payment_intent: payment.id }));
      return confirmedIf(
        data[0]?.id === id && data[0]?.metadata.key === "r" && data.length === 3,
        `${data.length} refunds, the newest is ${data[0]?.id === id ? "" : "not "}first`,
      );
    },
    "refunded-already": async ({ post, payment }) => {
      bodyOf(await post("refunds", { payment_intent: payment.id }));
      const answer = await post("refunds", { payment_intent: payment.id });
      return confirmedIf(refusalIn(answer) === "400 charge_already_refunded", refusalIn(answer));
    },
    "disputed-payment": async ({ lab, post, get, customer, pauseMs }) => {
      const { id } = await pay(lab, customer, "pm_card_createDispute");
      for (let looks = 1; looks <= 30; looks += 1) {
        const { data } = bodyOf(await get("disputes", { payment_intent: id }));
        if (data.length > 0) {
          const answer = await post("refunds", { payment_intent: id });
          return confirmedIf(
            data[0].status === "needs_response" && refusalIn(answer) === "400 charge_disputed",
            `${data[0].status}; refund: ${refusalIn(answer)}`,
          );
        }
        await pause(pauseMs);
      }
      return untestable("no dispute was opened in time");
    },
  },
});
