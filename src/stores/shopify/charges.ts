import { z } from "zod";
import { gidOf } from "../global-ids.ts";
import {
  type Charge,
  type ChargeAnswer,
  ContractPausedError,
  type KnownCharge,
  StoreRefusalError,
  StoreThrottledError,
  UnknownOutcomeError,
} from "../port.ts";
import { attemptSchema, interpretAttempt, refusalAnswer, type ShopifyAttempt } from "./attempts.ts";
import { refusals } from "./declines.ts";
import { createAttempt, readAttempt, readAttempts } from "./documents.ts";
import { findPaid } from "./payments.ts";
import type { AskShopify } from "./request.ts";
import { parseResponse } from "./responses.ts";

/**
 * Shopify charges what the contract says, so `prepare` first makes the contract match the charge. If Shopify may know the key
 * already, it is asked about that before, because a contract that is being charged must not change. If the contract cannot be made
 * to match, or cannot be charged, the charge is refused, unless Shopify has received an earlier request with the key or may still
 * receive it.
 */
export async function makeCharge(
  ask: AskShopify,
  charge: Charge,
  prepare: () => Promise<void>,
): Promise<ChargeAnswer> {
  const known = { ...charge, reference: null };
  const earlier = charge.isFirst ? undefined : await findCharge(ask, known);
  if (earlier) return earlier;
  try {
    await prepare();
  } catch (error) {
    if (!(error instanceof StoreRefusalError)) throw error;
    const found = await findCharge(ask, known);
    if (found) return found;
    if (!charge.isFirst) throw new UnknownOutcomeError(error.message);
    return refusalAnswer(charge.key, error.codes[0] ?? "REFUSED", error.message);
  }
  return create(ask, charge);
}

export async function findCharge(ask: AskShopify, charge: KnownCharge): Promise<ChargeAnswer | undefined> {
  const attempt = await findAttempt(ask, charge);
  const answer = attempt && interpretAttempt(attempt);
  return answer?.outcome === "succeeded_without_order"
    ? { ...answer, paid: await findPaid(ask, answer.reference) }
    : answer;
}

const createdSchema = z.object({
  subscriptionBillingAttemptCreate: z.object({
    subscriptionBillingAttempt: attemptSchema.nullable(),
    userErrors: z.array(z.object({ code: z.string().nullish(), message: z.string() })),
  }),
});

async function create(ask: AskShopify, charge: Charge): Promise<ChargeAnswer> {
  const { key, store_contract_id, oversells } = charge;
  const contract = gidOf("SubscriptionContract", store_contract_id);
  const attempt = { idempotencyKey: key, ...(oversells ? { inventoryPolicy: "ALLOW_OVERSELLING" } : {}) };
  const answer = await ask(createAttempt, { contract, attempt });
  const { subscriptionBillingAttempt: created, userErrors } = parseResponse(
    createdSchema,
    answer,
  ).subscriptionBillingAttemptCreate;
  if (created) return interpretAttempt(created);
  const [refusal] = userErrors;
  if (!refusal) throw new UnknownOutcomeError("Shopify returns neither an attempt nor an error");
  return decideRefusal(ask, charge, refusal);
}

type Refusal = { code?: string | null | undefined; message: string };

const retryAfterSeconds = 5;

/** No attempt exists, unless the code leaves that open or an earlier request with the key may still arrive. */
async function decideRefusal(
  ask: AskShopify,
  charge: Charge,
  { code, message }: Refusal,
): Promise<ChargeAnswer> {
  const reaction = Object.hasOwn(refusals, code ?? "") ? refusals[code ?? ""] : "wait";
  if (reaction === "throttled") throw new StoreThrottledError(message, retryAfterSeconds);
  if (reaction === "pause") throw new ContractPausedError(message, retryAfterSeconds);
  if (!charge.isFirst) throw new UnknownOutcomeError(message);
  const found = reaction === "look_up" ? await findCharge(ask, { ...charge, reference: null }) : undefined;
  return found ?? refusalAnswer(charge.key, code ?? "REFUSED", message);
}

/** More attempts than other apps make on a contract while one of ours has no answer. */
const newestAttempts = 50;

const readSchema = z.object({ subscriptionBillingAttempt: attemptSchema.nullable() });
const listedSchema = z.object({
  subscriptionContract: z.object({ billingAttempts: z.object({ nodes: z.array(attemptSchema) }) }).nullable(),
});

async function findAttempt(
  ask: AskShopify,
  { key, reference, store_contract_id }: KnownCharge,
): Promise<ShopifyAttempt | undefined> {
  if (reference !== null) {
    const answer = parseResponse(readSchema, await ask(readAttempt, { id: reference }));
    return answer.subscriptionBillingAttempt ?? undefined;
  }
  const contract = gidOf("SubscriptionContract", store_contract_id);
  const listed = parseResponse(listedSchema, await ask(readAttempts, { contract, first: newestAttempts }));
  return listed.subscriptionContract?.billingAttempts.nodes.find(
    ({ idempotencyKey }) => idempotencyKey === key,
  );
}
