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
    let dispute: Promise<Dispute | undefined> | undefined;
    const findDispute = () => (dispute ??= openDispute(lab, customer));
    return { ...lab, findDispute, payment: await pay(lab, customer) };
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
    "disputed-payment": async ({ post, findDispute }) => {
      const dispute = await findDispute();
      if (!dispute) return untestable("no dispute was opened in time");
      const answer = await post("refunds", { payment_intent: dispute.payment_intent });
      return confirmedIf(
        dispute.status === "needs_response" && refusalIn(answer) === "400 charge_disputed",
        `${dispute.status}; refund: ${refusalIn(answer)}`,
      );
    },
    "disputes-listed": async ({ get, findDispute }) => {
      const dispute = await findDispute();
      if (!dispute) return untestable("no dispute was opened in time");
      const { data } = bodyOf(await get("disputes", { created: { gte: dispute.created }, limit: 3 }));
      const times = data.map(({ created }: { created: number }) => created);
      return confirmedIf(
        data.some(({ id }: { id: string }) => id === dispute.id) &&
          times.every((time: number, nth: number) => nth === 0 || time <= times[nth - 1]),
        `${data.length} disputes, at ${times.join(", ")}`,
      );
    },
    "disputes-decided": async ({ post, get, findDispute, pauseMs }) => {
      const dispute = await findDispute();
      if (!dispute) return untestable("no dispute was opened in time");
      const path = `disputes/${dispute.id}`;
      bodyOf(await post(path, { evidence: { uncategorized_text: "winning_evidence" } }));
      const won = await until(pauseMs, async () => {
        const { status } = bodyOf(await get(path));
        return status === "won" ? status : undefined;
      });
      return won ? confirmedIf(true, "won") : untestable("nothing was decided in time");
    },
  },
});

/** The first answer that there is, of many looks with a pause after each. */
async function until<T>(pauseMs: number, look: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let looks = 1; looks <= 30; looks += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(pauseMs);
  }
  return undefined;
}

type Dispute = { id: string; status: string; created: number; payment_intent: string };

/** The dispute of a test payment, which is opened some seconds after it. */
async function openDispute(lab: Lab, customer: string): Promise<Dispute | undefined> {
  const { id } = await pay(lab, customer, "pm_card_createDispute");
  return until(lab.pauseMs, async () => bodyOf(await lab.get("disputes", { payment_intent: id })).data[0]);
}
