/** The fields of which the history does not say how they were. */
export const notRecorded = [
  ...(["can_cancel", "can_cancel_from", "can_change_next_delivery", "can_pause", "can_reactivate"] as const),
  ...(["can_resume", "can_retry_payment", "min_cycles_remaining", "next_delivery_cutoff_at"] as const),
  ...(["delivery_day", "delivery_slot", "delivery_slot_valid", "entities", "profile", "last_order"] as const),
  ...(["billing_blocked_reason", "store_sync_error", "ends_on", "ends_after_cycle", "updated_at"] as const),
  ...(["payment_method_brand", "payment_method_last4", "payment_reminder_status"] as const),
  ...(["last_payment_reminder_billing_date", "last_payment_reminder_sent_at"] as const),
] as const;
