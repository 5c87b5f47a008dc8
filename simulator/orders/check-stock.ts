import { snapshotOf } from "../../src/domain/billing/snapshot.ts";
import type { FinalState } from "../accounts/final-state.ts";
import type { World } from "../kernel/world.ts";
import { outOfStock } from "../stores/watched.ts";

/** Goods that are out of stock are skipped where the account says so, and waited for everywhere else. */
export function checkStock({ account, report }: World, { attempts, entries }: FinalState): void {
  const skips = account.out_of_stock_action === "skip";
  const skipped = new Set<string>();
  for (const { action, metadata } of entries) {
    if (metadata === null || !isOfStock.test(metadata)) continue;
    const { reason, error_code, billing_attempt_id: id } = JSON.parse(metadata);
    if (skips && action === "billing_waiting" && error_code === outOfStock)
      report(stockRule, "billing waits for goods that are to be skipped");
    if (action !== "subscription_skipped" || reason !== "out_of_stock") continue;
    const attempt = attempts.find((one) => one.id === id);
    if (!skips) report(stockRule, `a cycle is skipped, and the account says ${account.out_of_stock_action}`);
    if (skipped.has(id)) report(stockRule, "a failure skips twice");
    if (attempt?.status !== "FAILED" || attempt.error_code !== outOfStock)
      report(stockRule, `a cycle is skipped after ${attempt?.status} ${attempt?.error_code}`);
    else if (snapshotOf(attempt).isOffSchedule)
      report(stockRule, "a delivery off the schedule skips one of it");
    skipped.add(id);
  }
}

/** Checks that a store is asked to sell what is out of stock exactly where the account says so. */
export function checkOverselling({ account, report }: World, oversells: boolean): void {
  const { out_of_stock_action: setting } = account;
  if (oversells !== (setting === "bill_anyway"))
    report(
      stockRule,
      `the account says ${setting}, and the store is asked ${oversells ? "" : "not "}to sell`,
    );
}

const stockRule = "goods out of stock are treated as set";

const isOfStock = /out_of_stock|insufficient_inventory/;
