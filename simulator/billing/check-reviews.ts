import { finalStateOf } from "../accounts/final-state.ts";
import { attemptsSeen, changesOf, type SeenAttempt, subscriptionSeen } from "../accounts/seen.ts";
import { perAccount } from "../kernel/per-account.ts";
import type { Part, World } from "../kernel/world.ts";

/** How often each attempt came under review, or is there for another reason. */
const times = perAccount(() => ({ now: new Map<string, number>(), saved: new Map<string, number>() }));

export function reviewsOf(world: World, attemptId: string): number {
  return times(world).now.get(attemptId) ?? 0;
}

export function underReview(world: World): SeenAttempt[] {
  return attemptsSeen(world).filter(({ status }) => status === "REVIEW");
}

/** Each attempt that came under review, and each other reason, has one entry: people learn of it, and once. */
export const reviews: Part = {
  watch(world) {
    for (const { before, now } of changesOf(world).attempts) {
      if (now.status !== "REVIEW") continue;
      if (before?.status !== "REVIEW" || before.error_code !== now.error_code)
        times(world).now.set(now.id, reviewsOf(world, now.id) + 1);
      const shown = subscriptionSeen(world, now.subscription_id)?.billing_blocked_reason;
      if (shown !== now.error_code) world.report(rule, `${shown} is shown for ${now.error_code}`);
    }
  },
  mark({ worlds }) {
    for (const one of worlds) times(one).saved = new Map(times(one).now);
  },
  rewind({ worlds }) {
    for (const one of worlds) times(one).now = times(one).saved;
  },
  async checkAccount(world) {
    const { attempts, entries } = await finalStateOf(world);
    const reported = entries.filter(({ action }) => action === "billing_review_required");
    for (const { id } of attempts) {
      const told = reported.filter(
        ({ metadata }) => JSON.parse(metadata ?? "{}").billing_attempt_id === id,
      ).length;
      if (told !== reviewsOf(world, id))
        world.report(rule, `${told} entries for ${reviewsOf(world, id)} reasons`);
    }
  },
};

const rule = "every review is reported";
