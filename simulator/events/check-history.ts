import type { SubscriptionStatus } from "../../src/domain/subscriptions/tables.ts";
import type { FinalState } from "../accounts/final-state.ts";
import type { World } from "../kernel/world.ts";

type Count = [what: string, inHistory: number, inTables: number];

export function checkHistory(world: World, finalState: FinalState): void {
  countsAgree(world, finalState);
  statusesAgree(world, finalState);
}

/** The history has attempts that the store declined and those that it never saw. */
function isFailure({ status, error_code }: FinalState["attempts"][number]): boolean {
  return status === "FAILED" || error_code === "not_charged";
}

/** Whether an entry of an order is not about what came afterwards (refunds/check-refunds.ts, disputes/check-disputes.ts). */
function isOfPlacing({ action, metadata }: FinalState["orderEntries"][number]): boolean {
  const { refund_id } = JSON.parse(metadata ?? "{}");
  return refund_id === undefined && !afterwards.includes(action);
}

const afterwards = ["order_cancelled", "order_fulfilled", "order_disputed"];

/** Everything in the tables has its entries in the history, and the other way round. */
function countsAgree({ report }: World, finalState: FinalState): void {
  const { attempts, orders, episodes, entries, orderEntries } = finalState;
  const logged = (...actions: string[]): number =>
    entries.filter(({ action }) => actions.includes(action)).length;
  const ended = (...statuses: string[]): number =>
    episodes.filter(({ status }) => statuses.includes(status)).length;
  const counts: Count[] = [
    ["attempts", logged("ship_now_requested", "billing_started"), attempts.length],
    ["failures", logged("billing_failed"), attempts.filter(isFailure).length],
    [
      "successes",
      logged("billing_succeeded"),
      attempts.filter(({ status }) => status === "SUCCEEDED").length,
    ],
    ["orders", orderEntries.filter(isOfPlacing).length, orders.length],
    ["episodes", logged("dunning_started"), episodes.length],
    ["exhausted episodes", logged("dunning_exhausted"), ended("EXHAUSTED")],
    [
      "recovered episodes",
      entries.filter(({ action, metadata }) => action === "dunning_recovered" && metadata !== null).length,
      ended("RECOVERED"),
    ],
  ];
  for (const [what, inHistory, inTables] of counts)
    if (inHistory !== inTables)
      report("history exactly per change", `${inHistory} ${what} in the history, ${inTables} in the tables`);
}

/** The status before and after an entry; other entries change no status. */
const moves: Record<string, [from: SubscriptionStatus[], to: SubscriptionStatus]> = {
  subscription_paused: [["ACTIVE", "PAUSED"], "PAUSED"],
  subscription_resumed: [["PAUSED"], "ACTIVE"],
  subscription_cancelled: [["ACTIVE", "PAUSED", "PAYMENT_FAILED"], "CANCELLED"],
  subscription_reactivated: [["CANCELLED", "EXPIRED"], "ACTIVE"],
  subscription_expired: [["ACTIVE", "PAUSED", "PAYMENT_FAILED"], "EXPIRED"],
};

/** Replayed from the start, the history ends in the subscription's status. */
function statusesAgree({ report, account }: World, { entries, subscriptions }: FinalState): void {
  for (const row of subscriptions) {
    let status: SubscriptionStatus = "ACTIVE";
    for (const { action, changes } of entries.filter(({ loggable_id }) => loggable_id === row.id)) {
      if (action === "subscription_change_undone") status = JSON.parse(changes ?? "{}").status?.to ?? status;
      const move = moves[action];
      if (move && !move[0].includes(status)) report("history exactly per change", `${action} when ${status}`);
      if (move) status = move[1];
      if (action === "dunning_exhausted" && account.dunning_final_action === "fail")
        status = "PAYMENT_FAILED";
      if (action === "dunning_recovered" && status === "PAYMENT_FAILED") status = "ACTIVE";
    }
    if (status !== row.status)
      report(
        "history exactly per change",
        `the history ends in ${status}, the subscription is ${row.status}`,
      );
  }
}
