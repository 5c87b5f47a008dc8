import { confirmed, confirmedIf, contradicted } from "../../store-check/outcome.ts";
import { bodyOf, type Lab, refusalIn } from "../lab.ts";
import { amount, attach, confirm, makeCustomer, makeIntent, noRedirects } from "../records.ts";
import { section } from "../section.ts";

/** The codes of docs.stripe.com/testing#declined-payments, by test token. */
const declines = {
  pm_card_visa_chargeDeclined: "card_declined/generic_decline",
  pm_card_visa_chargeDeclinedInsufficientFunds: "card_declined/insufficient_funds",
  pm_card_visa_chargeDeclinedLostCard: "card_declined/lost_card",
  pm_card_visa_chargeDeclinedStolenCard: "card_declined/stolen_card",
  pm_card_chargeDeclinedExpiredCard: "expired_card/expired_card",
  pm_card_chargeDeclinedProcessingError: "processing_error/processing_error",
};

export const paymentsSection = section({
  name: "payments",
  writes: "test payments, of which those that succeed stay, and a customer, which is deleted",
  async prepare(lab: Lab) {
    const customer = await makeCustomer(lab);
    const visa = await attach(lab, customer, "pm_card_visa");
    const failing = await attach(lab, customer, "pm_card_chargeCustomerFail");
    const intent = (fields: Record<string, unknown> = {}) =>
      makeIntent(lab, { customer, payment_method: visa, ...fields });
    return { ...lab, lab, customer, visa, failing, intent };
  },
  checks: {
    "unconfirmed-intent": async ({ get, intent }) => {
      const { id, status, latest_charge, amount_received } = await intent();
      const { data } = bodyOf(await get("charges", { payment_intent: id }));
      return confirmedIf(
        status === "requires_confirmation" &&
          latest_charge === null &&
          amount_received === 0 &&
          data.length === 0,
        `${status}, ${data.length} charges`,
      );
    },
    "confirmed-intent": async ({ lab, intent }) => {
      const { id } = await intent();
      const { status, latest_charge, amount_received } = bodyOf(await confirm(lab, id));
      return confirmedIf(
        status === "succeeded" && typeof latest_charge === "string" && amount_received === amount.amount,
        `${status}, ${amount_received}`,
      );
    },
    "declined-intent": async ({ lab, get, intent, failing }) => {
      const { id } = await intent({ payment_method: failing });
      const answer = await confirm(lab, id);
      const {
        status,
        payment_method,
        last_payment_error: error,
        latest_charge,
      } = bodyOf(await get(`payment_intents/${id}`, { expand: ["latest_charge"] }));
      return confirmedIf(
        answer.status === 402 &&
          answer.body.error.type === "card_error" &&
          answer.body.error.payment_intent.id === id &&
          status === "requires_payment_method" &&
          payment_method === null &&
          error.payment_method.id === failing &&
          latest_charge.status === "failed",
        `${answer.status}, ${status}, payment_method ${payment_method === null ? "null" : "kept"}`,
      );
    },
    "decline-codes": async ({ lab, intent }) => {
      const wrong: string[] = [];
      for (const [token, expected] of Object.entries(declines)) {
        const { id } = await intent({ payment_method: token });
        const { error } = (await confirm(lab, id)).body;
        const found = `${error?.code}/${error?.decline_code}`;
        if (found !== expected) wrong.push(`${token}: ${found}`);
      }
      if (wrong.length > 0) return contradicted(wrong.join(", "));
      return confirmed(`${Object.keys(declines).length} test cards`);
    },
    "cancelled-states": async ({ lab, post, intent, failing }) => {
      const waiting = await intent();
      const declined = await intent({ payment_method: failing });
      await confirm(lab, declined.id);
      const paid = await intent();
      bodyOf(await confirm(lab, paid.id));
      const cancel = async ({ id }: { id: string }) => refusalIn(await post(`payment_intents/${id}/cancel`));
      const found = [
        await cancel(waiting),
        await cancel(declined),
        await cancel(paid),
        await cancel(waiting),
      ];
      const refused = "400 payment_intent_unexpected_state";
      return confirmedIf(
        found.join() === ["accepted", "accepted", refused, refused].join(),
        found.join(", "),
      );
    },
    "cancelled-is-over": async ({ lab, post, intent }) => {
      const { id } = await intent();
      bodyOf(await post(`payment_intents/${id}/cancel`));
      const answer = await confirm(lab, id);
      return confirmedIf(refusalIn(answer) === "400 payment_intent_unexpected_state", refusalIn(answer));
    },
    "cancelled-keeps-decline": async ({ lab, post, get, intent, failing }) => {
      const { id } = await intent({ payment_method: failing });
      await confirm(lab, id);
      bodyOf(await post(`payment_intents/${id}/cancel`));
      const { last_payment_error: error, latest_charge: charge } = bodyOf(
        await get(`payment_intents/${id}`, { expand: ["latest_charge"] }),
      );
      return confirmedIf(
        charge?.failure_code === "card_declined",
        `the charge says ${charge?.failure_code}, the intent ${error?.code ?? "nothing"}`,
      );
    },
    "cancellation-reason": async ({ post, get, intent }) => {
      const { id } = await intent();
      bodyOf(await post(`payment_intents/${id}/cancel`, { cancellation_reason: "duplicate" }));
      const { cancellation_reason: reason } = bodyOf(await get(`payment_intents/${id}`));
      return confirmedIf(reason === "duplicate", String(reason));
    },
    "charge-keeps-reason": async ({ lab, get, intent }) => {
      const { id } = await intent({ payment_method: "pm_card_visa_chargeDeclinedInsufficientFunds" });
      await confirm(lab, id);
      const { latest_charge: charge } = bodyOf(
        await get(`payment_intents/${id}`, { expand: ["latest_charge"] }),
      );
      return confirmedIf(
        charge?.failure_code === "card_declined" && charge.outcome.reason === "insufficient_funds",
        `${charge?.failure_code}/${charge?.outcome?.reason}`,
      );
    },
    /** Each has a key of its own, as two processes have. */
    "confirmed-twice-at-once": async ({ post, get, intent, unique }) => {
      const { id } = await intent();
      const answers = await Promise.all(
        ["one", "other"].map((key) =>
          post(`payment_intents/${id}/confirm`, { off_session: true }, { key: unique(key) }),
        ),
      );
      const { data } = bodyOf(await get("charges", { payment_intent: id }));
      const paid = data.filter(({ status }: { status: string }) => status === "succeeded");
      return confirmedIf(paid.length === 1, `${paid.length} charges; ${answers.map(refusalIn).join(", ")}`);
    },
    "return-url": async ({ lab, intent }) => {
      const { id } = await intent({ automatic_payment_methods: { enabled: true } });
      const [without, with_] = [
        await confirm(lab, id, {}),
        await confirm(lab, id, { return_url: "https://example.com/" }),
      ];
      return confirmedIf(
        without.status === 400 && without.body.error.param === "return_url" && with_.status === 200,
        `without: ${refusalIn(without)}, with: ${refusalIn(with_)}`,
      );
    },
    "return-url-off-session": async ({ lab, intent }) => {
      const { id } = await intent({ automatic_payment_methods: { enabled: true } });
      const answer = await confirm(lab, id);
      return confirmedIf(
        answer.status === 400 && answer.body.error.param === "return_url",
        refusalIn(answer),
      );
    },
    "off-session-at-creation": async ({ post }) => {
      const answer = await post("payment_intents", { ...amount, ...noRedirects, off_session: true });
      return confirmedIf(answer.status === 400, refusalIn(answer));
    },
    "method-types": async ({ post }) => {
      const answer = await post("payment_intents", { ...amount, payment_method_types: ["card"] });
      return confirmedIf(
        refusalIn(answer) === "400 payment_method_types_no_longer_supported",
        refusalIn(answer),
      );
    },
    "other-customers-method": async ({ lab, post, visa }) => {
      const customer = await makeCustomer(lab);
      const answer = await post("payment_intents", {
        ...amount,
        ...noRedirects,
        customer,
        payment_method: visa,
      });
      return confirmedIf(answer.status === 400, refusalIn(answer));
    },
    "small-amounts": async ({ post }) => {
      const answer = await post("payment_intents", { amount: 1, currency: "eur", ...noRedirects });
      return confirmedIf(refusalIn(answer) === "400 amount_too_small", refusalIn(answer));
    },
    "three-decimals": async ({ post }) => {
      const answer = await post("payment_intents", { amount: 10_001, currency: "kwd", ...noRedirects });
      return confirmedIf(answer.status === 400, refusalIn(answer));
    },
    "whole-krona": async ({ post }) => {
      const answer = await post("payment_intents", { amount: 100_001, currency: "isk", ...noRedirects });
      return confirmedIf(answer.status === 400, refusalIn(answer));
    },
    "listed-at-once": async ({ get, customer, intent, unique }) => {
      const key = unique("listed");
      const { id } = await intent({ metadata: { key } });
      const { data } = bodyOf(await get("payment_intents", { customer, limit: 1 }));
      return confirmedIf(
        data[0]?.id === id && data[0]?.metadata.key === key,
        data[0]?.id === id
          ? "the newest is first, with its metadata"
          : "it is not the first of its customer's",
      );
    },
    "list-by-time": async ({ get, customer, intent }) => {
      const { id, created } = await intent();
      const within = bodyOf(
        await get("payment_intents", { customer, created: { gte: created }, limit: 100 }),
      );
      const before = bodyOf(await get("payment_intents", { customer, created: { lt: created }, limit: 100 }));
      const has = ({ data }: { data: { id: string }[] }) => data.some((one) => one.id === id);
      return confirmedIf(has(within) && !has(before), `within ${has(within)}, before ${has(before)}`);
    },
    "list-after-another": async ({ get, customer, intent, pauseMs }) => {
      const { id: older, created } = await intent();
      await new Promise((resolve) => setTimeout(resolve, pauseMs * 2));
      const newest = await intent();
      const { data } = bodyOf(
        await get("payment_intents", {
          customer,
          created: { lte: created },
          starting_after: newest.id,
          limit: 100,
        }),
      );
      const found = data.some(({ id }: { id: string }) => id === older);
      return confirmedIf(found, found ? "the page goes on after it" : "the older one is not listed");
    },
  },
});
