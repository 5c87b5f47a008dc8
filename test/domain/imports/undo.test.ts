/** Each action of a subscription stands in the way of undoing its import, or is harmless. */
import { expect, test } from "vitest";
import { eventTypes, type SystemAction } from "../../../src/base/event-types.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { harmlessActions } from "../../../src/domain/imports/undo.ts";
import { execute, select } from "../../support/database.ts";
import { logOf, put } from "../../support/records.ts";
import { openShop, subscribe } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { moveIn, must, outcomesOf, rowOf } from "./imports.ts";

const worker = useWorker();

/** Entries after which an import keeps the subscription, and those of other records. A new action is sorted here, or is harmless. */
const standInTheWay: SystemAction[] = [
  ...(["subscription_paused", "subscription_resumed", "subscription_cancelled"] as const),
  ...(["subscription_reactivated", "subscription_expired", "subscription_skipped"] as const),
  ...(["subscription_unskipped", "subscription_change_undone", "frequency_changed"] as const),
  ...(["delivery_instructions_updated", "delivery_rescheduled", "delivery_address_changed"] as const),
  ...(["lines_changed", "price_change_announced", "payment_method_changed"] as const),
  ...(["payment_update_requested", "payment_update_refused", "discount_applied"] as const),
  ...(["discount_removed", "store_skip_not_followed", "subscription_import_undone"] as const),
  ...(["cancellation_started", "cancellation_offer_accepted", "cancellation_saved"] as const),
  ...([
    "cancellation_lost",
    "cancellation_scheduled",
    "ship_now_requested",
    "billing_started",
    "billing_succeeded",
  ] as const),
  ...(["billing_failed", "billing_action_required", "billing_review_required"] as const),
  ...(["billing_resumed", "dunning_started", "dunning_recovered", "dunning_exhausted"] as const),
  ...(["dunning_customer_notified", "dunning_notice_refused"] as const),
];
const ofOtherRecords =
  /^(order|profile|payment_method_expiring|portal|account|api_key|staff|declaration|job)/;

test("each action of a subscription stands in the way of undoing its import, or is harmless", async () => {
  const actions = Object.keys(eventTypes).filter((action) => !ofOtherRecords.test(action));
  expect([...harmlessActions, ...standInTheWay].sort()).toEqual(actions.sort());
  const shop = await openShop();
  const own = [...actions, "integration_noted", "integrationx_noted"];
  const { id, ids } = await moveIn(
    shop,
    worker,
    own.map((action) => rowOf(shop, action)),
  );
  const entries = own.map((action) => {
    const loggable_id = ids[action]!;
    return logOf(shop.of, { action, loggable_type: "subscription", loggable_id, type: `x.${action}` });
  });
  await put("activity_logs", entries);
  must(await worker.call(shop.api, "POST", `/api/jobs/${id}/undo`));
  await worker.drain();
  const refused = ["OK", " Cannot undo the import: it has been changed since"];
  const isHarmless = (action: string) =>
    (harmlessActions as readonly string[]).includes(action) || action === "integration_noted";
  expect(await outcomesOf(shop, id)).toEqual(
    Object.fromEntries(own.map((action) => [action, isHarmless(action) ? "UNDONE" : refused])),
  );
});

test("undoing an import takes the consents with their subscriptions, and no others", async () => {
  const shop = await openShop();
  const { id, ids } = await moveIn(shop, worker, [rowOf(shop, "one")]);
  const consent = { text: "$12.50 every week", channel: "page" };
  const kept = await subscribe(shop, { consent });
  await execute(
    "INSERT INTO consents SELECT ?, account_seq, ?, text, sha256, 'import', source, agreed_at, prune_at, created_at FROM consents WHERE subscription_id = ?",
    newId(),
    ids.one!,
    kept,
  );
  must(await worker.call(shop.api, "POST", `/api/jobs/${id}/undo`));
  await worker.drain();
  expect(await outcomesOf(shop, id)).toEqual({ one: "UNDONE" });
  const consents = await select(
    "SELECT subscription_id FROM consents WHERE subscription_id IN (?, ?)",
    ids.one!,
    kept,
  );
  expect(consents).toEqual([{ subscription_id: kept }]);
});
