import { formOf } from "../../../scripts/stripe-check/form.ts";
import type { FakeStripe } from "../../support/fake-stripe.ts";

/** An answer of the API, whatever its shape is. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes of all endpoints' answers
export type Answer = { status: number; headers: Headers; body: any };

export type Asked = { key?: string; version?: string; secretKey?: string };

/** Asks the fake account as a client of Stripe does: forms in, JSON out. */
export function apiOf(fake: FakeStripe) {
  const ask = async (
    method: string,
    path: string,
    fields: Record<string, unknown> = {},
    { key, version = "2026-10-28.endive", secretKey = "sk_test_fake" }: Asked = {},
  ): Promise<Answer> => {
    const form = formOf(fields).toString();
    const isPost = method === "POST";
    const response = await fake.fetch(
      new Request(`https://api.stripe.com/v1/${path}${isPost || form === "" ? "" : `?${form}`}`, {
        method,
        headers: {
          Authorization: `Bearer ${secretKey}`,
          "Stripe-Version": version,
          ...(isPost ? { "Content-Type": "application/x-www-form-urlencoded" } : {}),
          ...(key === undefined ? {} : { "Idempotency-Key": key }),
        },
        ...(isPost ? { body: form } : {}),
      }),
    );
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return {
    get: (path: string, fields?: Record<string, unknown>, asked?: Asked) => ask("GET", path, fields, asked),
    post: (path: string, fields?: Record<string, unknown>, asked?: Asked) => ask("POST", path, fields, asked),
    delete: (path: string) => ask("DELETE", path),
  };
}
