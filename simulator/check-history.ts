import type { SubscriptionStatus } from "../src/subscriptions/tables.ts";
import type { FinalState } from "./final-state.ts";
import type { World } from "./world.ts";

type Counted = [what: string, told: number, there: number];

/** Refused by the store, or never seen by it: the history tells of both. */
const isFailure = ({ status, error_code }: FinalState["attempts"][number]): boolean =>
  status === "FAILED" || error_code === "not_charged";

/** What the history tells of is there, and what is there the history tells of, one by one. */
const oneByOne = ({ report }: World, finalState: FinalState): void => {
  const { attempts, orders, episodes, entries, orderEntries } = finalState;
  const told = (...actions: string[]): number =>
    entries.filter(({ action }) => actions.includes(action)).length;
  const ended = (...statuses: string[]): number =>
    episodes.filter(({ status }) => statuses.includes(status)).length;
  const counted: Counted[] = [
    ["attempts", told("ship_now_requested", "billing_started"), attempts.length],
    ["failures", told("billing_failed"), attempts.filter(isFailure).length],
    ["successes", told("billing_succeeded"), attempts.filter(({ status }) => status === "SUCCEEDED").length],
    ["orders", orderEntries.length, orders.length],
    ["episodes", told("dunning_started"), episodes.length],
    ["exhausted episodes", told("dunning_exhausted"), ended("EXHAUSTED")],
    [
      "recovered episodes",
      entries.filter(({ action, metadata }) => action === "dunning_recovered" && metadata !== null).length,
      ended("RECOVERED"),
    ],
  ];
  for (const [what, inHistory, there] of counted)
    if (inHistory !== there)
      report("history exactly per change", `${inHistory} ${what} in the history, ${there} there`);
};

/** From where to where an entry leads; those that are not named lead nowhere. */
const moves: Record<string, [from: SubscriptionStatus[], to: SubscriptionStatus]> = {
  subscription_paused: [["ACTIVE"], "PAUSED"],
  subscription_resumed: [["PAUSED"], "ACTIVE"],
  subscription_cancelled: [["ACTIVE", "PAUSED", "PAYMENT_FAILED"], "CANCELLED"],
  subscription_reactivated: [["CANCELLED", "EXPIRED"], "ACTIVE"],
  subscription_expired: [["ACTIVE", "PAUSED", "PAYMENT_FAILED"], "EXPIRED"],
};

/** Retold from its beginning, the history ends where the subscription is. */
const retold = ({ report, account }: World, { entries, subscriptions }: FinalState): void => {
  for (const row of subscriptions) {
    let status: SubscriptionStatus = "ACTIVE";
    for (const { action } of entries.filter(({ loggable_id }) => loggable_id === row.id)) {
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
};

export const checkHistory = (world: World, finalState: FinalState): void => {
  oneByOne(world, finalState);
  retold(world, finalState);
};
