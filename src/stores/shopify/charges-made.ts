import { z } from "zod";
import { numberIn, plainIdOrNull } from "../global-ids.ts";
import type { ChargePage, MadeCharge } from "../port.ts";
import { attemptSchema } from "./attempts.ts";
import { readMark } from "./contracts/contract-input.ts";
import { listAttempts, readMadeAttempt } from "./documents.ts";
import type { AskShopify } from "./request.ts";
import { instantIn, parseResponse } from "./responses.ts";

/** Successful attempts of the whole shop, oldest first. Where a page ends is when its last attempt was created, and its cursor. */
export async function listCharges(
  ask: AskShopify,
  { since, after }: ChargePage,
): Promise<{ charges: MadeCharge[]; next: string | null }> {
  const cursor = after === null ? null : after.slice(after.indexOf(" ") + 1);
  const variables = { query: `created_at:>='${since}'`, first: pageSize, after: cursor };
  const { nodes, pageInfo } = parseResponse(
    listedSchema,
    await ask(listAttempts, variables),
  ).subscriptionBillingAttempts;
  const last = nodes.at(-1);
  return {
    charges: nodes.flatMap(madeChargeOf),
    next: pageInfo.hasNextPage && last ? `${instantIn(last.createdAt)} ${pageInfo.endCursor}` : null,
  };
}

/** A successful attempt by its global id. */
export async function findMadeCharge(ask: AskShopify, id: string): Promise<MadeCharge | undefined> {
  const { subscriptionBillingAttempt: attempt } = parseResponse(
    readSchema,
    await ask(readMadeAttempt, { id }),
  );
  return attempt ? madeChargeOf(attempt)[0] : undefined;
}

const pageSize = 50;

const listedAttempt = z.intersection(
  attemptSchema,
  z.object({
    createdAt: z.string(),
    subscriptionContract: z.object({
      id: z.string(),
      customAttributes: z.array(z.object({ key: z.string(), value: z.string().nullable() })),
    }),
  }),
);
const readSchema = z.object({ subscriptionBillingAttempt: listedAttempt.nullable() });
const listedSchema = z.object({
  subscriptionBillingAttempts: z.object({
    nodes: z.array(listedAttempt),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  }),
});

function madeChargeOf({
  id,
  idempotencyKey,
  state,
  createdAt,
  subscriptionContract,
}: z.output<typeof listedAttempt>): MadeCharge[] {
  if (state.__typename !== "SubscriptionBillingAttemptSuccessState") return [];
  return [
    {
      key: idempotencyKey,
      reference: id,
      created_at: instantIn(createdAt),
      subscription_id: readMark(subscriptionContract.customAttributes).subscription_id,
      store_contract_id: numberIn(subscriptionContract.id),
      store_order_id: plainIdOrNull("Order", state.order?.id),
    },
  ];
}
