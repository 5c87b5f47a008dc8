import { newId } from "../../base/lib/ids.ts";
import { StoreRefusalError } from "../port.ts";
import { StoredFailureError, type StripeRequest } from "./client.ts";

/** Sends a request to the account at Stripe; throws as requestStripe does. */
export type AskStripe = (request: StripeRequest) => Promise<unknown>;

/** Parameters in the type that Stripe has published for them; those that are undefined are not sent. */
export type SentParams<P> = { [Name in keyof P]: P[Name] | undefined };

/**
 * Creates a record that costs nothing, under a key: repeated within a day, it is the same one. Where the first request with the key has
 * failed, Stripe repeats that for a day, so that the record is created under another.
 */
export async function createOnce(
  ask: AskStripe,
  { key, ...request }: Omit<StripeRequest, "method"> & { key: string },
): Promise<unknown> {
  const create = (key: string) => ask({ method: "POST", ...request, key });
  return create(key).catch((error) => {
    if (error instanceof StoredFailureError) return create(`${key}:${newId()}`);
    throw error;
  });
}

/** The record at a path; undefined if Stripe has none. */
export function readIfAny(ask: AskStripe, path: string, params: object = {}): Promise<unknown> {
  return ask({ method: "GET", path, params }).catch((error) => {
    if (error instanceof StoreRefusalError && error.codes.includes("HTTP_404")) return undefined;
    throw error;
  });
}
