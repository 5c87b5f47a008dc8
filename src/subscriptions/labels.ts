import type { Subscription } from "./tables.ts";

/** "Every week", "Every 2 weeks" (DECISIONS §3). */
export const frequencyLabel = ({
  billing_interval,
  billing_interval_count: count,
}: Pick<Subscription, "billing_interval" | "billing_interval_count">): string => {
  const unit = billing_interval.toLowerCase();
  return count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`;
};
