import type { DomainError } from "../../../base/errors.ts";
import type { Ctx } from "../../../kit/context.ts";
import { type FoundImage, findLaterChange, type LaterChange } from "./queries.ts";
import { newUndoRefusal } from "./requirements.ts";

/** The refusal to undo a change whose columns were changed since, which says by whom and when. */
export async function newChangedSinceError(
  ctx: Ctx,
  image: FoundImage,
  columns: string[],
): Promise<DomainError> {
  const fields = [...new Set(columns.map((column) => shownAs[column] ?? column))];
  const change = await findLaterChange(ctx, image, [...columns, ...fields]);
  const by = change ? ` by ${nameOf(ctx, change)} at ${change.created_at}` : "";
  return newUndoRefusal(`${fields.join(", ")} changed since${by}`);
}

/** The fields in which the API shows a change of a column that it does not show itself. */
const shownAs: Record<string, string> = {
  ...Object.fromEntries(
    [
      "anchor_date",
      "anchor_day",
      "next_index",
      "next_billed_index",
      "scheduled_index",
      "scheduled_delivery_date",
      "schedule_revision",
    ].map((column) => [column, "next_delivery_date"]),
  ),
  activation: "status",
  dunning_episode_id: "current_dunning_episode",
  related: "status",
  billing_waiting_since: "billing_blocked_reason",
  billing_wait_count: "billing_blocked_reason",
  billing_retry_at: "billing_blocked_reason",
};

/** A customer is not told which of the merchant's people it was. */
function nameOf({ actor }: Ctx, { actor_type, actor_name }: LaterChange): string {
  if (actor_type === "customer") return actor_name ?? "the customer";
  if (actor.type === "customer") return "the shop";
  return actor_name ?? (actor_type === null || actor_type === "system" ? "the service" : "the shop");
}
