import { afterEach, beforeEach, vi } from "vitest";
import type { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import type { NewDispute } from "../../support/fake-stripe/disputes.ts";
import type { Delivery } from "../../support/fake-stripe.ts";
import { force, inDays, type Json, on, read } from "../../support/shops.ts";
import { ordersOf } from "../../support/worker.ts";
import { subscribed } from "./account.ts";
import { intentsOf, settled, shipped } from "./charging.ts";
import { arrive, type HookedAccount, hookedAccount } from "./hooks.ts";

/** The columns of a subscription whose next cycle is due. */
export const dueToday = {
  next_billing_date: inDays(0),
  next_delivery_date: inDays(0),
  anchor_date: inDays(0),
};

/** For each test an account at Stripe, a subscription that has been charged once, and what can be done and read of its disputes. */
export function useDisputes() {
  const account = {} as HookedAccount;
  const paid = { id: "", intent: "" };
  beforeEach(async () => {
    Object.assign(account, await hookedAccount());
    paid.id = await subscribed(account);
    await shipped(account, paid.id);
    paid.intent = intentsOf(account, paid.id)[0]!.id;
    await arrive(account);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const call = (...of: Parameters<typeof api>) => account.worker.call<Json>(...of);
  return {
    account,
    paid,
    call,
    /** The customer disputes the payment, and all that Stripe says of it arrives. */
    async disputed(how: NewDispute = {}, delivery?: Delivery): Promise<string> {
      const { id } = account.stripe.dispute(paid.intent, how);
      await arrive(account, delivery);
      return id;
    },
    async closed(dispute: string, status: "won" | "lost" | "warning_closed"): Promise<void> {
      account.stripe.closeDispute(dispute, status);
      await arrive(account);
    },
    /** The next cycle falls due, and cron runs for some minutes. */
    async due(): Promise<void> {
      await force(paid.id, dueToday);
      await settled(account);
    },
    async reasonOf(): Promise<string | null> {
      return (await read(account.merchant, paid.id)).billing_blocked_reason;
    },
    /** The subscription's first order. */
    async order(): Promise<Json> {
      return (await ordersOf(account.merchant, paid.id)).at(-1);
    },
    charges: (): number => intentsOf(account, paid.id).filter(({ status }) => status === "succeeded").length,
    /** The metadata of the subscription's entries of disputes, oldest first. */
    async entries(): Promise<Json[]> {
      const found = await select<{ metadata: string }>(
        "SELECT metadata FROM activity_logs WHERE action = 'order_disputed' AND subscription_id = ? ORDER BY created_at, id",
        paid.id,
      );
      return found.map(({ metadata }) => JSON.parse(metadata));
    },
    resume: (as: Parameters<typeof api>[0] = account.merchant.admin, query: Json = {}) =>
      call(as, "POST", on(paid.id, "resume-billing"), { query }),
    settings: (on_dispute: string) =>
      call(account.merchant.api, "PUT", "/api/account", { body: { on_dispute } }),
  };
}
