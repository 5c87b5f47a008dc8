import { z } from "zod";
import { StoreRefusalError, StoreThrottledError, UnknownOutcomeError } from "../port.ts";
import { parseResponse } from "./responses.ts";

/** Asks the Admin API of the account's shop; throws as requestShopify does. */
export type Ask = (query: string, variables: Record<string, unknown>) => Promise<unknown>;

const payload = z.looseObject({
  userErrors: z.array(z.object({ code: z.string().nullish(), message: z.string() })),
});
const answered = z.record(z.string(), payload);

/** Refusals that pass by themselves: others were at it meanwhile. */
const passing = new Set(["STALE_CONTRACT", "THROTTLED"]);
const passingSeconds = 5;

/** Asks for a mutation of one field; answers its payload. Throws StoreRefusalError with Shopify's user errors. */
export const mutate = async (
  ask: Ask,
  mutation: string,
  variables: Record<string, unknown>,
): Promise<Record<string, unknown>> => {
  const [made] = Object.values(parseResponse(answered, await ask(mutation, variables)));
  if (!made) throw new UnknownOutcomeError("Shopify's answer is empty");
  const { userErrors } = made;
  if (userErrors.length === 0) return made;
  const codes = userErrors.map(({ code }) => code ?? "UNKNOWN");
  const message = userErrors.map((error) => error.message).join("; ");
  if (codes.some((code) => passing.has(code))) throw new StoreThrottledError(message, passingSeconds);
  throw new StoreRefusalError(message, codes);
};
