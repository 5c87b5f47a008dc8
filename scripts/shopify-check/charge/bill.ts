import { randomUUID } from "node:crypto";
import {
  attemptSchema,
  interpretAttempt,
  type ShopifyAttempt,
} from "../../../src/stores/shopify/attempts.ts";
import { createAttempt, readAttempt } from "../../../src/stores/shopify/documents.ts";
import { pause } from "../../store-check/run.ts";
import type { Lab } from "../lab.ts";
import { readOrder } from "./order.ts";

/** When the order of each success was seen, by the attempt's id. */
export type OrdersSeen = Map<string, "at once" | "later" | "never">;

export type Billed = {
  /** The code by which no attempt was made. */
  refusal?: string;
  attempt?: ShopifyAttempt;
};

/** The store as the section that charges reaches it. */
export type Charging = Lab & {
  seen: OrdersSeen;
  /** Whether the first order was one of a test gateway. */
  gateway: { isTest: boolean };
};

/** An idempotency key. It has not the form of a deployment's keys, which looks for the attempt of each of those. */
export function newKey(): string {
  return `shopify-check-${randomUUID()}`;
}

/** The first charge. Its order shows whether the gateway is a test's; unless it is, nothing further is charged. */
export async function billFirst(lab: Charging, contract: string, key: string): Promise<Billed> {
  const billed = await requestAttempt(lab, contract, key);
  const order = orderOf(billed);
  if (order === undefined) return billed;
  const { test } = await readOrder(lab, order);
  if (!test) throw new Error("the first order is not of a test gateway: nothing further was charged");
  lab.gateway.isTest = true;
  return billed;
}

/** Bills a contract, and waits until the attempt is settled. */
export async function bill(lab: Charging, contract: string, key: string): Promise<Billed> {
  if (!lab.gateway.isTest) throw new Error("no order has shown that the gateway is a test's");
  return requestAttempt(lab, contract, key);
}

/** The paid amount of a success without tax and fees, in minor units. Throws for anything else. */
export function paidAmount({ refusal, attempt }: Billed): number {
  if (!attempt) throw new Error(`no attempt was made: ${refusal}`);
  const answer = interpretAttempt(attempt);
  if (answer.outcome !== "succeeded") throw new Error(`the attempt is ${outcomeOf(answer)}`);
  return answer.amount - answer.tax_amount - answer.fees_amount;
}

export function orderOf({ attempt }: Billed): string | undefined {
  return attempt?.state.__typename === "SubscriptionBillingAttemptSuccessState"
    ? attempt.state.order?.id
    : undefined;
}

/** The order of a success. */
export function requireOrder(billed: Billed): string {
  const order = orderOf(billed);
  if (order === undefined) throw new Error(`there is no order: ${billed.refusal ?? "no success"}`);
  return order;
}

async function requestAttempt(lab: Charging, contract: string, key: string): Promise<Billed> {
  const answer = (await lab.ask(createAttempt, { contract, attempt: { idempotencyKey: key } })) as Created;
  const { subscriptionBillingAttempt: created, userErrors } = answer.subscriptionBillingAttemptCreate;
  if (!created) return { refusal: userErrors.map(({ code }) => code ?? "UNKNOWN").join(", ") };
  const { id } = attemptSchema.parse(created);
  let looksWithoutOrder = 0;
  for (let look = 0; look < mostLooks; look += 1) {
    const attempt = await readOne(lab, id);
    const { state } = attempt;
    const isSuccess = state.__typename === "SubscriptionBillingAttemptSuccessState";
    const lacksOrder = isSuccess && state.order === null;
    if (lacksOrder) looksWithoutOrder += 1;
    const isPending = state.__typename === "SubscriptionBillingAttemptPendingState";
    if (!isPending && (!lacksOrder || looksWithoutOrder >= looksForOrder)) {
      const whenFound = looksWithoutOrder > 0 ? "later" : "at once";
      if (isSuccess && !lab.seen.has(id)) lab.seen.set(id, lacksOrder ? "never" : whenFound);
      return { attempt };
    }
    await pause(lab.pauseMs);
  }
  throw new Error("the attempt was not settled within a minute");
}

const mostLooks = 60;
const looksForOrder = 10;

type Created = {
  subscriptionBillingAttemptCreate: {
    subscriptionBillingAttempt: unknown;
    userErrors: { code?: string | null }[];
  };
};

async function readOne({ ask }: Lab, id: string): Promise<ShopifyAttempt> {
  const { subscriptionBillingAttempt } = (await ask(readAttempt, { id })) as {
    subscriptionBillingAttempt: unknown;
  };
  return attemptSchema.parse(subscriptionBillingAttempt);
}

function outcomeOf(answer: ReturnType<typeof interpretAttempt>): string {
  return answer.outcome === "declined" ? `declined with ${answer.code}` : answer.outcome;
}
