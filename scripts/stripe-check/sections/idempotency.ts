import { confirmed, confirmedIf, untestable } from "../../store-check/outcome.ts";
import { bodyOf, type Lab, refusalIn } from "../lab.ts";
import { amount, attach, confirm, makeCustomer, makeIntent, noRedirects } from "../records.ts";
import { section } from "../section.ts";

export const idempotencySection = section({
  name: "idempotency",
  writes: "payment intents, which are cancelled, and a customer, which is deleted",
  async prepare(lab: Lab) {
    const key = lab.unique("first");
    const first = await makeIntent(lab, {}, key);
    return { ...lab, lab, key, first };
  },
  checks: {
    "key-replays": async ({ post, key, first }) => {
      const { body, headers } = await post("payment_intents", { ...amount, ...noRedirects }, { key });
      return confirmedIf(
        body.id === first.id && headers.get("Idempotent-Replayed") === "true",
        `Idempotent-Replayed: ${headers.get("Idempotent-Replayed")}`,
      );
    },
    "key-of-other-parameters": async ({ post, key }) => {
      const answer = await post("payment_intents", { ...amount, ...noRedirects, amount: 1199 }, { key });
      return confirmedIf(
        answer.status === 400 && answer.body.error?.type === "idempotency_error",
        `${answer.status} ${answer.body.error?.type}`,
      );
    },
    "key-of-other-endpoint": async ({ post, key }) => {
      const answer = await post("customers", { name: "Perennial check" }, { key });
      return confirmedIf(
        answer.status === 400 && answer.body.error?.type === "idempotency_error",
        `${answer.status} ${answer.body.error?.type}`,
      );
    },
    "replay-is-as-it-was": async ({ post, key, first }) => {
      bodyOf(await post(`payment_intents/${first.id}/cancel`));
      const { body } = await post("payment_intents", { ...amount, ...noRedirects }, { key });
      return confirmedIf(
        body.status === first.status,
        `the intent is canceled, the answer says ${body.status}`,
      );
    },
    "key-keeps-a-decline": async ({ lab, post, unique }) => {
      const customer = await makeCustomer(lab);
      const payment_method = await attach(lab, customer, "pm_card_chargeCustomerFail");
      const { id } = await makeIntent(lab, { customer, payment_method });
      const key = unique("declined");
      const decline = () => post(`payment_intents/${id}/confirm`, { off_session: true }, { key });
      const [first, again] = [await decline(), await decline()];
      return confirmedIf(
        first.status === 402 && again.status === 402 && again.headers.get("Idempotent-Replayed") === "true",
        `${refusalIn(first)}, then ${refusalIn(again)}`,
      );
    },
    "key-keeps-no-wrong-parameters": async ({ lab, post, unique }) => {
      const key = unique("wrong");
      const wrong = await post("payment_intents", { currency: "eur", ...noRedirects }, { key });
      const right = await post("payment_intents", { ...amount, ...noRedirects }, { key });
      if (right.status === 200)
        lab.atEnd("a payment intent", () => post(`payment_intents/${right.body.id}/cancel`));
      return confirmedIf(
        wrong.status === 400 && right.status === 200,
        `${refusalIn(wrong)}, then ${refusalIn(right)}`,
      );
    },
    "key-in-use": async ({ lab, post, unique }) => {
      const key = unique("twice");
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => post("payment_intents", { ...amount, ...noRedirects }, { key })),
      );
      const made = new Set(answers.flatMap(({ status, body }) => (status === 200 ? [body.id] : [])));
      for (const id of made)
        lab.atEnd(`the payment intent ${id}`, () => post(`payment_intents/${id}/cancel`));
      if (made.size > 1) return confirmedIf(false, `one key has made ${made.size} intents`);
      const conflicts = answers.filter(({ status }) => status === 409);
      if (conflicts.length === 0) return untestable("each of four requests at once found the first one done");
      return confirmedIf(
        conflicts.every(({ body }) => body.error.code === "idempotency_key_in_use"),
        conflicts.map(refusalIn).join(", "),
      );
    },
    "key-has-no-effect-on-reads": async ({ get, unique, first }) => {
      const key = unique("read");
      const [one, other] = [
        await get(`payment_intents/${first.id}`, {}, { key }),
        await get("payment_intents", { limit: 1 }, { key }),
      ];
      return one.status === 200 && other.status === 200
        ? confirmed()
        : confirmedIf(false, `${refusalIn(one)}, then ${refusalIn(other)}`);
    },
    "succeeded-is-the-fence": async ({ lab, post, unique }) => {
      const customer = await makeCustomer(lab);
      const payment_method = await attach(lab, customer, "pm_card_visa");
      const { id } = await makeIntent(lab, { customer, payment_method });
      bodyOf(await confirm(lab, id));
      const again = await post(
        `payment_intents/${id}/confirm`,
        { off_session: true },
        { key: unique("again") },
      );
      const { data } = bodyOf(await lab.get("charges", { payment_intent: id }));
      return confirmedIf(
        refusalIn(again) === "400 payment_intent_unexpected_state" && data.length === 1,
        `${refusalIn(again)}, ${data.length} charges`,
      );
    },
  },
});
