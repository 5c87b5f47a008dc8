import { StoreRefusalError } from "../../src/stores/port.ts";
import type { AskShopify } from "../../src/stores/shopify/request.ts";
import { messageOf } from "../store-check/outcome.ts";

/** The codes and messages with which the store refuses a mutation; undefined if it does not. */
export async function findRefusal(
  ask: AskShopify,
  mutation: string,
  variables: Record<string, unknown>,
): Promise<string | undefined> {
  return refusalOf(async () => {
    const [payload] = Object.values((await ask(mutation, variables)) as Record<string, Payload | null>);
    const errors = payload?.userErrors ?? [];
    return errors.map(({ code, message }) => `${code ?? "UNKNOWN"}: ${message}`).join("; ") || undefined;
  });
}

/** The refusal that an act returns, or the one that it throws. */
export async function refusalOf(act: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof StoreRefusalError) return [...error.codes, messageOf(error)].join(": ");
    throw error;
  }
}

type Payload = { userErrors: { code?: string | null; message: string }[] };
