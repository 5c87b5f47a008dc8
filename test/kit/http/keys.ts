import { api, type Caller, type RequestOptions } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import type { Tenant } from "../../support/tenant.ts";
import { useTenantPerTest } from "../../support/use-account.ts";

export const skip = "/api/subscriptions/skip-reasons";

export function keyed(key: string, body: unknown = { label: "Holiday" }): RequestOptions {
  return {
    body,
    headers: { "Idempotency-Key": key },
  };
}

/** An account for each test, and requests with a key that create a skip reason of it. */
export function useKeys() {
  const tenant: Tenant = useTenantPerTest();
  return {
    tenant,
    create: (key: string, body?: unknown, as: Caller = tenant) => api(as, "POST", skip, keyed(key, body)),
    reasonCount: async (): Promise<number> => {
      const count =
        "SELECT COUNT(*) AS n FROM reasons WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)";
      return (await select<{ n: number }>(count, tenant.account.id))[0]!.n;
    },
    rowOf: async (key: string) => {
      const stored =
        "SELECT * FROM idempotency_keys WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?) AND key = ?";
      return (await select(stored, tenant.account.id, key))[0];
    },
  };
}
