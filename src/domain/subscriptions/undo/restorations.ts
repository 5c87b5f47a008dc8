import type { PortalPermission } from "../../../base/accounts/portal-settings.ts";
import type { SystemAction } from "../../../base/event-types.ts";

/** The ways to undo a change, by its action. A change of any other action is not undone. */
export const restorations = {
  subscription_paused: { ...ofLife("can_pause"), endsBilling: true },
  subscription_resumed: ofLife("can_pause"),
  subscription_cancelled: { ...ofLife("can_cancel"), endsBilling: true },
  cancellation_scheduled: { needs: "can_cancel", outlivesCharges: true },
  subscription_reactivated: ofLife("can_cancel"),
  subscription_skipped: { needs: "can_skip", moves: "dates", cutoff: "each" },
  delivery_rescheduled: { needs: "can_reschedule", moves: "dates", cutoff: "each" },
  frequency_changed: { needs: "can_change_frequency", moves: "dates" },
  payment_method_changed: { needs: "can_change_payment_method", hasRelated: true },
  delivery_address_changed: { needs: "can_change_address", cutoff: "each", outlivesCharges: true },
  delivery_instructions_updated: { cutoff: "each", outlivesCharges: true },
  lines_changed: { needs: "lines", cutoff: "each", outlivesCharges: true },
  price_change_announced: { needs: "lines", cutoff: "each", outlivesCharges: true },
  discount_applied: { outlivesCharges: true },
  discount_removed: { outlivesCharges: true },
} as const satisfies Partial<Record<SystemAction, Restoration>>;

type UndoableAction = keyof typeof restorations;

export function restorationOf(action: string): Restoration | undefined {
  return Object.hasOwn(restorations, action) ? restorations[action as UndoableAction] : undefined;
}

export type Restoration = {
  /** The permission of the merchant's that a customer needs; of lines, those of what was done to them. */
  needs?: PortalPermission | "lines";
  /** Whether the change has led to another status, or to other dates alone: what comes back has to fit into slots and calendar. */
  moves?: "life" | "dates";
  /** The deliveries whose cut-off binds customers: the next one as it is and as it was, or the one that comes back. */
  cutoff?: "each" | "restored";
  /** Whether the change may have changed rows of other tables. */
  hasRelated?: true;
  /** Whether the change ends billing, so that an attempt in progress is of before it. */
  endsBilling?: true;
  /** Whether a job takes the change back also after a charge, which says nothing against what it has written. */
  outlivesCharges?: true;
};

function ofLife(needs: PortalPermission) {
  return { needs, moves: "life", cutoff: "restored", hasRelated: true } as const;
}
