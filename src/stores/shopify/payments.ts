import { z } from "zod";
import type { ChargeAnswer } from "../port.ts";
import { readPayments } from "./documents.ts";
import type { AskShopify } from "./request.ts";
import { minorOf, moneyBagSchema, parseResponse } from "./responses.ts";

type Paid = Extract<ChargeAnswer, { outcome: "succeeded_without_order" }>["paid"];

/**
 * The amount that an attempt's payments add up to; null if Shopify does not show that either. An authorisation counts where
 * nothing was captured yet.
 */
export async function findPaid(ask: AskShopify, attemptId: string): Promise<Paid> {
  const answer = parseResponse(paymentsSchema, await ask(readPayments, { id: attemptId }));
  const made = (answer.subscriptionBillingAttempt?.transactions?.nodes ?? []).filter(
    ({ status }) => status === "SUCCESS",
  );
  const captured = made.filter(({ kind }) => kind === "SALE" || kind === "CAPTURE");
  const payments = captured.length > 0 ? captured : made.filter(({ kind }) => kind === "AUTHORIZATION");
  const [first] = payments;
  if (!first) return null;
  return {
    amount: payments.reduce((sum, { amountSet }) => sum + minorOf(amountSet.presentmentMoney), 0),
    currency_code: first.amountSet.presentmentMoney.currencyCode,
  };
}

const paymentsSchema = z.object({
  subscriptionBillingAttempt: z
    .object({
      transactions: z
        .object({
          nodes: z.array(z.object({ kind: z.string(), status: z.string(), amountSet: moneyBagSchema })),
        })
        .nullable(),
    })
    .nullable(),
});
