import { finalStateOf } from "../accounts/final-state.ts";
import type { Part } from "../kernel/world.ts";
import { alerting } from "./alerts.ts";
import { authorities } from "./authority.ts";
import { checkAttempts } from "./check-attempts.ts";
import { checkChallenges } from "./check-challenges.ts";
import { checkDunning } from "./check-dunning.ts";
import { checkMoney } from "./check-money.ts";
import { reviews, underReview } from "./check-reviews.ts";
import { confirmationsOf, hearConfirmations } from "./confirmations.ts";
import { settleReviews } from "./settle-reviews.ts";
import { attempts } from "./watch-attempts.ts";
import { waits } from "./watch-waits.ts";

/** People settle what is under review, and the store's webhooks about confirmed challenges come. */
const ending: Part = {
  acts: [
    {
      name: "settle reviews",
      weight: ({ worlds }) => (worlds.some((one) => underReview(one).length > 0) ? 3 : 0),
      act: async ({ worlds }) => {
        for (const one of worlds) await settleReviews(one);
      },
    },
    {
      name: "hear confirmations",
      weight: ({ worlds }) => (worlds.some((one) => confirmationsOf(one).length > 0) ? 8 : 0),
      act: async ({ worlds }) => {
        for (const one of worlds) await hearConfirmations(one);
      },
    },
  ],
  dueAt: [
    "SELECT MIN(next_action_at) FROM billing_attempts WHERE account_seq = ?1 AND error_code IS NOT 'currency_mismatch'",
    "SELECT MIN(due_at) FROM dunning_episodes WHERE account_seq = ?1",
    "SELECT MIN(next_at) FROM reconciliations WHERE account_seq = ?1",
    "SELECT MIN(retry_due_at) FROM subscriptions WHERE account_seq = ?1",
  ],
  keepsBooks: /^update "?reconciliations/i,
  async settle({ worlds }) {
    for (const one of worlds) await hearConfirmations(one);
    for (const one of worlds) await settleReviews(one);
  },
  async checkAccount(world) {
    const state = await finalStateOf(world);
    checkMoney(world, state);
    checkDunning(world, state);
    checkAttempts(world, state);
    checkChallenges(world, state);
  },
};

/** Cycles are charged, waited for, tried again and settled. */
export const billing: readonly Part[] = [authorities, attempts, reviews, waits, alerting, ending];
