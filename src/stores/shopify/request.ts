import { z } from "zod";
import { StoreRefusalError, StoreThrottledError, UnknownOutcomeError } from "../port.ts";
import { parseResponse } from "./responses.ts";

/** Sends a document to the Admin API of the account's shop; throws as requestShopify does. */
export type AskShopify = (query: string, variables: Record<string, unknown>) => Promise<unknown>;

/** Runs a mutation of one field and returns its payload. Throws StoreRefusalError with Shopify's user errors. */
export async function mutate(
  ask: AskShopify,
  mutation: string,
  variables: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const [result] = Object.values(parseResponse(answered, await ask(mutation, variables)));
  if (!result) throw new UnknownOutcomeError("Shopify's answer is empty");
  const { userErrors } = result;
  if (userErrors.length === 0) return result;
  const codes = userErrors.flatMap(codesOf);
  const message = userErrors.map((error) => error.message).join("; ");
  if (codes.some((code) => temporary.has(code))) throw new StoreThrottledError(message, retryAfterSeconds);
  throw new StoreRefusalError(message, codes);
}

/** Our further code for a line whose selling plan Shopify does not have, of which its own says only that something is invalid. */
export const unknownPlanCode = "SELLING_PLAN_UNKNOWN";

const userError = z.object({
  code: z.string().nullish(),
  field: z.array(z.string()).nullish(),
  message: z.string(),
});
const payload = z.looseObject({ userErrors: z.array(userError) });

function codesOf({ code, field, message }: z.output<typeof userError>): string[] {
  const isAboutPlan = field?.at(-1) === "sellingPlanId" || message === "Selling plan is invalid";
  return [code ?? "UNKNOWN", ...(isAboutPlan ? [unknownPlanCode] : [])];
}
const answered = z.record(z.string(), payload);

/** Refusals that a later try can avoid, because another request caused them, or time. */
const temporary = new Set(["STALE_CONTRACT", "THROTTLED", "NOT_READY_TO_COMMIT", "CALCULATION_NOT_FOUND"]);
const retryAfterSeconds = 5;
