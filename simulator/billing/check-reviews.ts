import type { FinalState } from "../accounts/final-state.ts";
import type { World } from "../kernel/world.ts";

/** Each attempt that came under review, and each other reason, has one entry: people learn of it, and once. */
export function checkReviews({ report, watch }: World, { attempts, entries }: FinalState): void {
  const reported = entries.filter(({ action }) => action === "billing_review_required");
  for (const { id } of attempts) {
    const times = reported.filter(
      ({ metadata }) => JSON.parse(metadata ?? "{}").billing_attempt_id === id,
    ).length;
    if (times !== watch.reviewsOf(id))
      report("every review is reported", `${times} entries for ${watch.reviewsOf(id)} reasons`);
  }
}
