import { z } from "zod";
import type { Db } from "../../db/client.ts";
import {
  type Charge,
  type ChargeAnswer,
  type KnownCharge,
  type Store,
  StoreBusyError,
  type StorePaymentMethod,
  StoreRefusalError,
  StoreSilenceError,
} from "../port.ts";
import { understood } from "./answers.ts";
import { type Attempt, answerOf, attemptSchema, declinedBy } from "./attempts.ts";
import { askShopify, type Connection } from "./client.ts";
import { contractFor } from "./contracts.ts";
import { createAttempt, readAttempt, readAttempts, readPaymentMethod } from "./documents.ts";
import { gidOf, isIdOf } from "./ids.ts";
import { type Log, shopifyRecords } from "./records.ts";

/** As many attempts as a contract can have made while one of ours was unanswered. */
const newestAttempts = 50;

const createdSchema = z.object({
  subscriptionBillingAttemptCreate: z.object({
    subscriptionBillingAttempt: attemptSchema.nullable(),
    userErrors: z.array(z.object({ code: z.string().nullish(), message: z.string() })),
  }),
});
const readSchema = z.object({ subscriptionBillingAttempt: attemptSchema.nullable() });
const listedSchema = z.object({
  subscriptionContract: z.object({ billingAttempts: z.object({ nodes: z.array(attemptSchema) }) }).nullable(),
});

const instrument = z.object({
  __typename: z.string(),
  brand: z.string().optional(),
  bankName: z.string().optional(),
  lastDigits: z.string().optional(),
  expiryMonth: z.int().optional(),
  expiryYear: z.int().optional(),
  inactive: z.boolean().optional(),
});
const methodSchema = z.object({
  customerPaymentMethod: z
    .object({
      id: z.string(),
      revokedAt: z.string().nullable(),
      customer: z.object({ id: z.string() }).nullable(),
      instrument: instrument.nullable(),
    })
    .nullable(),
});

const brands: Record<string, string> = {
  CustomerShopPayAgreement: "shop_pay",
  CustomerPaypalBillingAgreement: "paypal",
};

const isPast = (month: number | undefined, year: number | undefined, now: string): boolean =>
  month !== undefined && year !== undefined && now.slice(0, 7) > `${year}-${String(month).padStart(2, "0")}`;

const methodOf = (
  {
    id,
    revokedAt,
    customer,
    instrument: shown,
  }: NonNullable<z.output<typeof methodSchema>["customerPaymentMethod"]>,
  now: string,
): StorePaymentMethod => {
  const { expiryMonth, expiryYear, inactive = false } = shown ?? {};
  const isRevoked = revokedAt !== null || inactive || !shown;
  const isExpired = isPast(expiryMonth, expiryYear, now);
  return {
    store_payment_method_id: id,
    store_customer_id: customer?.id ?? null,
    brand: shown ? (shown.brand ?? shown.bankName ?? brands[shown.__typename] ?? null) : null,
    last4: shown?.lastDigits ?? null,
    exp_month: expiryMonth ?? null,
    exp_year: expiryYear ?? null,
    is_default: false,
    status: isRevoked ? "REVOKED" : isExpired ? "EXPIRED" : "VALID",
  };
};

type Parts = {
  db: Db;
  accountId: string;
  now: string;
  realNow: string;
  connect: () => Promise<Connection>;
  log: Log;
};

/** A Shopify store, by its Admin API. An attempt is asynchronous there: it is made, then asked about. */
export const shopifyStore = ({ db, accountId, now, realNow, connect, log }: Parts): Store => {
  /** A refusal of a whole request tells nothing of a charge, nor of a payment method: the token may be wrong. */
  const ask = async (query: string, variables: Record<string, unknown>): Promise<unknown> =>
    askShopify(await connect(), query, variables).catch((error) => {
      throw error instanceof StoreRefusalError ? new StoreSilenceError(error.message) : error;
    });

  const attemptOf = async ({
    key,
    reference,
    store_contract_id,
  }: KnownCharge): Promise<Attempt | undefined> => {
    if (reference !== null)
      return (
        understood(readSchema, await ask(readAttempt, { id: reference })).subscriptionBillingAttempt ??
        undefined
      );
    const contract = gidOf("SubscriptionContract", store_contract_id);
    const listed = understood(listedSchema, await ask(readAttempts, { contract, first: newestAttempts }));
    return listed.subscriptionContract?.billingAttempts.nodes.find(
      ({ idempotencyKey }) => idempotencyKey === key,
    );
  };

  const findCharge = async (charge: KnownCharge): Promise<ChargeAnswer | undefined> => {
    const attempt = await attemptOf(charge);
    return attempt && answerOf(attempt);
  };

  return {
    records: shopifyRecords(connect, log),
    findCharge,
    /** Shopify has no way to give a challenge up: it ends by itself. */
    withdrawCharge: findCharge,
    async findPaymentMethod(id) {
      if (!isIdOf("CustomerPaymentMethod", id)) return undefined;
      const variables = { id: gidOf("CustomerPaymentMethod", id) };
      const { customerPaymentMethod } = understood(methodSchema, await ask(readPaymentMethod, variables));
      return customerPaymentMethod ? methodOf(customerPaymentMethod, now) : undefined;
    },
    createContract: async (wish) => contractFor(db, await connect(), accountId, wish, realNow),
    async charge({ key, store_contract_id }: Charge) {
      const contract = gidOf("SubscriptionContract", store_contract_id);
      const answer = await ask(createAttempt, { contract, attempt: { idempotencyKey: key } });
      const { subscriptionBillingAttempt: made, userErrors } = understood(
        createdSchema,
        answer,
      ).subscriptionBillingAttemptCreate;
      if (made) return answerOf(made);
      const [refusal] = userErrors;
      if (refusal?.code === "THROTTLED") throw new StoreBusyError(refusal.message, 5);
      return declinedBy(key, refusal?.code ?? "UNEXPECTED_ERROR", refusal?.message);
    },
  };
};
