import { dateIn } from "../../src/base/lib/time/dates.ts";
import { isOpen } from "../../src/domain/billing/queries.ts";
import type { FinalState } from "../accounts/final-state.ts";
import { instantOf, type World } from "../kernel/world.ts";

type Stored = FinalState["subscriptions"][number];

export function checkState(world: World, finalState: FinalState): void {
  for (const row of finalState.subscriptions) {
    nothingIsDue(world, finalState, row);
    pointersAgree(world, finalState, row);
    figuresAgree(world, finalState, row);
  }
}

function nothingIsDue(world: World, { attempts, episodes }: FinalState, row: Stored): void {
  const { report, account } = world;
  const now = instantOf(world);
  const today = dateIn(now, account.timezone);
  const open = attempts.filter((attempt) => attempt.subscription_id === row.id && isOpen(attempt));
  for (const { status, error_code } of open)
    report("nothing due left behind", `an attempt is ${status} ${error_code ?? ""}`);
  const hasContract = row.store_contract_id !== null;
  const isRefused = account.store !== "sandbox" && row.store_sync_error !== null && !hasContract;
  if (row.due_on !== null && row.due_on <= today && !isRefused)
    report("nothing due left behind", `${row.status}, due on ${row.due_on}, today is ${today}`);
  if (
    !isRefused &&
    row.status === "ACTIVE" &&
    row.due_on === null &&
    row.billing_retry_at === null &&
    row.disputed_at === null &&
    open.length === 0 &&
    row.dunning_episode_id === null
  )
    report("nothing due left behind", "ACTIVE, and nothing will ever fall due");
  if (row.disputed_at === null && row.billing_retry_at !== null && row.billing_retry_at <= now && !isRefused)
    report("nothing due left behind", `waits for ${row.billing_blocked_reason}, due ${row.billing_retry_at}`);
  if (!hasContract && account.store === "sandbox") report("nothing due left behind", "without a contract");
  if (open.length > 0) return;
  for (const { due_at, status } of episodes)
    if (due_at !== null && due_at <= now)
      report("nothing due left behind", `an episode is ${status}, due ${due_at}`);
}

function pointersAgree({ report }: World, { attempts, episodes }: FinalState, row: Stored): void {
  const open = attempts.filter((attempt) => attempt.subscription_id === row.id && isOpen(attempt));
  if (open.length > 1 || (open[0]?.id ?? null) !== row.open_attempt_id)
    report("open_attempt_id is the open attempt", `${row.open_attempt_id}, ${open.map(({ id }) => id)}`);
  const running = episodes.filter(
    ({ subscription_id, status }) =>
      subscription_id === row.id && (status === "OPEN" || status === "AWAITING_CUSTOMER"),
  );
  if (running.length > 1 || (running[0]?.id ?? null) !== row.dunning_episode_id)
    report(
      "dunning_episode_id is the open episode",
      `${row.dunning_episode_id}, ${running.map(({ id }) => id)}`,
    );
}

function figuresAgree({ report }: World, { attempts, orders }: FinalState, row: Stored): void {
  const succeeded = attempts.filter(
    ({ subscription_id, status }) => subscription_id === row.id && status === "SUCCEEDED",
  );
  const ofLife = succeeded.filter(({ activation }) => activation === row.activation);
  if (row.current_billing_cycle !== 1 + ofLife.length)
    report(
      "a cycle for every success",
      `cycle ${row.current_billing_cycle} after ${ofLife.length} successes`,
    );
  const paid = orders.filter(({ subscription_id }) => subscription_id === row.id);
  const revenue = paid.reduce((sum, { total, refunded_amount }) => sum + total - refunded_amount, 0);
  if (row.total_revenue !== revenue)
    report("total_revenue = the orders' sum", `${row.total_revenue}, ${revenue}`);
}
