import { z } from "zod";
import {
  type Charge,
  type ChargeAnswer,
  ContractPausedError,
  type KnownCharge,
  StoreRefusalError,
  StoreThrottledError,
  UnknownOutcomeError,
} from "../port.ts";
import { type Attempt, answerOf, attemptSchema, refusedBy } from "./attempts.ts";
import { refusals } from "./declines.ts";
import { createAttempt, readAttempt, readAttempts } from "./documents.ts";
import { gidOf } from "./ids.ts";
import type { Ask } from "./request.ts";
import { parseResponse } from "./responses.ts";

const busySeconds = 5;

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

const attemptOf = async (
  ask: Ask,
  { key, reference, store_contract_id }: KnownCharge,
): Promise<Attempt | undefined> => {
  if (reference !== null) {
    const answer = parseResponse(readSchema, await ask(readAttempt, { id: reference }));
    return answer.subscriptionBillingAttempt ?? undefined;
  }
  const contract = gidOf("SubscriptionContract", store_contract_id);
  const listed = parseResponse(listedSchema, await ask(readAttempts, { contract, first: newestAttempts }));
  return listed.subscriptionContract?.billingAttempts.nodes.find(
    ({ idempotencyKey }) => idempotencyKey === key,
  );
};

export const findCharge = async (ask: Ask, charge: KnownCharge): Promise<ChargeAnswer | undefined> => {
  const attempt = await attemptOf(ask, charge);
  return attempt && answerOf(attempt);
};

const create = async (ask: Ask, charge: Charge): Promise<ChargeAnswer> => {
  const { key, store_contract_id, oversells } = charge;
  const contract = gidOf("SubscriptionContract", store_contract_id);
  const attempt = { idempotencyKey: key, ...(oversells ? { inventoryPolicy: "ALLOW_OVERSELLING" } : {}) };
  const answer = await ask(createAttempt, { contract, attempt });
  const { subscriptionBillingAttempt: made, userErrors } = parseResponse(
    createdSchema,
    answer,
  ).subscriptionBillingAttemptCreate;
  if (made) return answerOf(made);
  const [refusal] = userErrors;
  if (!refusal) throw new UnknownOutcomeError("Shopify answers neither an attempt nor why there is none");
  return refused(ask, charge, refusal);
};

type Refusal = { code?: string | null | undefined; message: string };

/** No attempt was made, unless Shopify does not know itself, or an earlier request with the key may still arrive. */
async function refused(ask: Ask, charge: Charge, { code, message }: Refusal): Promise<ChargeAnswer> {
  const what = Object.hasOwn(refusals, code ?? "") ? refusals[code ?? ""] : "wait";
  if (what === "throttled") throw new StoreThrottledError(message, busySeconds);
  if (what === "pause") throw new ContractPausedError(message, busySeconds);
  if (!charge.isFirst) throw new UnknownOutcomeError(message);
  const found = what === "look_up" ? await findCharge(ask, { ...charge, reference: null }) : undefined;
  return found ?? refusedBy(charge.key, code ?? "REFUSED", message);
}

/**
 * Shopify charges what the contract says, so the contract is made what is to be charged first (`prepare`). Of a key that
 * it may know already it is asked before: what is being charged is not changed. A contract that cannot be made so, or
 * not charged, is a refusal of the charge, unless an earlier request with the key was taken, or may still arrive.
 */
export const makeCharge = async (
  ask: Ask,
  charge: Charge,
  prepare: () => Promise<void>,
): Promise<ChargeAnswer> => {
  const known = { ...charge, reference: null };
  const found = charge.isFirst ? undefined : await findCharge(ask, known);
  if (found) return found;
  try {
    await prepare();
  } catch (error) {
    if (!(error instanceof StoreRefusalError)) throw error;
    const made = await findCharge(ask, known);
    if (made) return made;
    if (!charge.isFirst) throw new UnknownOutcomeError(error.message);
    return refusedBy(charge.key, error.codes[0] ?? "REFUSED", error.message);
  }
  return create(ask, charge);
};
