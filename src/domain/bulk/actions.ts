/** The actions of a bulk job, each done to every subscription of its list. */
export const bulkActions = [
  "swap_variant",
  "change_price",
  "move_slot",
  "skip_deliveries",
  "reschedule",
  "pause",
  "resume",
  "cancel",
  "apply_discount",
  "remove_discount",
  "add_one_time_line",
  "set_instructions",
  "retry_payment",
] as const;
export type BulkAction = (typeof bulkActions)[number];

/** A bulk job as it is stored: its input is what the action's schema has made of it. */
export type BulkInput = {
  action: BulkAction;
  // biome-ignore lint/suspicious/noExplicitAny: each action has its own input, which its schema has accepted
  input: any;
  notice_days?: number | undefined;
  /** The dry run whose rows it is to do exactly; absent where nothing was shown. */
  preview_job_id?: string | undefined;
  /** The filters of the list, as its reader takes them; absent where the request named ids. */
  filters?: Record<string, string | number | undefined> | undefined;
};
