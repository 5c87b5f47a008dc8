import { z } from "zod";
import { StoreRefusalError, StoreThrottledError, UnknownOutcomeError } from "../port.ts";
import { parseResponse } from "./responses.ts";

/** Sends a document to the Admin API of the account's shop; throws as requestShopify does. */
export type Ask = (query: string, variables: Record<string, unknown>) => Promise<unknown>;

/** Runs a mutation of one field and returns its payload. Throws StoreRefusalError with Shopify's user errors. */
export async function mutate(
  ask: Ask,
  mutation: string,
  variables: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const [result] = Object.values(parseResponse(answered, await ask(mutation, variables)));
  if (!result) throw new UnknownOutcomeError("Shopify's answer is empty");
  const { userErrors } = result;
  if (userErrors.length === 0) return result;
  const codes = userErrors.map(({ code }) => code ?? "UNKNOWN");
  const message = userErrors.map((error) => error.message).join("; ");
  if (codes.some((code) => temporary.has(code))) throw new StoreThrottledError(message, retryAfterSeconds);
  throw new StoreRefusalError(message, codes);
}

const payload = z.looseObject({
  userErrors: z.array(z.object({ code: z.string().nullish(), message: z.string() })),
});
const answered = z.record(z.string(), payload);

/** Refusals that a later try can avoid, because another request caused them. */
const temporary = new Set(["STALE_CONTRACT", "THROTTLED"]);
const retryAfterSeconds = 5;
