import { z } from "zod";
import { StoreRefusalError, StoreThrottledError } from "../../port.ts";
import { calculateUpdate, commitCalculation, readCalculation, readRestated } from "../documents.ts";
import { type AskShopify, mutate } from "../request.ts";
import { parseResponse } from "../responses.ts";
import { calculationInput, restatedSchema } from "./calculation-input.ts";
import type { Changes, Contract, DesiredState } from "./contract-changes.ts";

/**
 * Has Shopify calculate the changes, waits for that, and commits the result. Nothing changes before the commit: a calculation that takes
 * too long is left, and the job begins another one. A price of the delivery is stated with its address, which may be another's by then, and so is
 * marked as well. Returns the calculation's warnings.
 */
export async function commitByCalculation(
  ask: AskShopify,
  contract: Contract,
  changes: Changes,
  desired: DesiredState,
  markDelivery: () => Promise<void>,
): Promise<string[]> {
  const { subscriptionContract: restated } = parseResponse(
    restatedSchema,
    await ask(readRestated, { id: contract.id }),
  );
  if (!restated) throw new StoreRefusalError("Shopify has no such contract", ["CONTRACT_NOT_FOUND"]);
  const input = calculationInput({ contract, changes, desired, restated });
  const asked = await mutate(ask, calculateUpdate, { contract: contract.id, input });
  if (input.deliveryMethod) await markDelivery();
  const calculation = await waitFor(ask, parseResponse(begunSchema, asked).subscriptionContractCalculation);
  await mutate(ask, commitCalculation, { id: calculation.id });
  return calculation.warnings.map(textOf);
}

/** Four seconds in all: a calculation is made while the contract's lease is held. */
const pausesMs = [200, 400, 800, 1200, 1400];
const retryAfterSeconds = 5;

const diagnostic = z.object({ code: z.string(), message: z.string().nullable() });

const calculationSchema = z.discriminatedUnion("__typename", [
  z.object({ __typename: z.literal("SubscriptionContractCalculationPending"), id: z.string() }),
  z.object({
    __typename: z.literal("SubscriptionContractCalculationFailure"),
    errors: z.array(diagnostic),
  }),
  z.object({
    __typename: z.literal("SubscriptionContractCalculationSuccess"),
    id: z.string(),
    warnings: z.array(diagnostic),
  }),
]);
type Calculation = z.output<typeof calculationSchema>;
type Success = Extract<Calculation, { warnings: unknown }>;

const begunSchema = z.object({ subscriptionContractCalculation: calculationSchema });

/** Reads a calculation until it has ended. Throws StoreThrottledError if that takes too long, StoreRefusalError if it has failed. */
async function waitFor(ask: AskShopify, begun: Calculation): Promise<Success> {
  let calculation = begun;
  for (const pauseMs of pausesMs) {
    if (calculation.__typename !== "SubscriptionContractCalculationPending") break;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const answer = await ask(readCalculation, { id: calculation.id });
    calculation = parseResponse(begunSchema, answer).subscriptionContractCalculation;
  }
  if (calculation.__typename === "SubscriptionContractCalculationSuccess") return calculation;
  if (calculation.__typename === "SubscriptionContractCalculationPending")
    throw new StoreThrottledError("Shopify still calculates the change", retryAfterSeconds);
  const { errors } = calculation;
  const text = errors.map(textOf).join("; ");
  if (errors.some(({ code }) => temporary.has(code))) throw new StoreThrottledError(text, retryAfterSeconds);
  throw new StoreRefusalError(
    text,
    errors.map(({ code }) => code),
  );
}

/** Failures that another calculation can avoid. Shopify says so of CALCULATION_TIMEOUT. */
const temporary = new Set(["CALCULATION_TIMEOUT", "PROCESSING_ERROR"]);

function textOf({ code, message }: z.output<typeof diagnostic>): string {
  return message ? `${code}: ${message}` : code;
}
