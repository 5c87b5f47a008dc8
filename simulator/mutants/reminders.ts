import { edit, type Mutant, schema } from "./edits.ts";

const reminders = "src/domain/billing/due/reminders.ts";
const once = "reminders once for each date";
const what = "customers are reminded of what comes";

/** Bugs that remind customers too often, too early, of nothing, or not at all. */
export const reminderMutants: Mutant[] = [
  {
    name: "two ticks remind",
    what: "a customer is reminded twice of one billing where two ticks find it at once",
    edits: [
      edit(
        reminders,
        ") = due.value ->> 2`",
        ") = due.value ->> 2 OR (subscriptions.account_seq = ?2 AND subscriptions.id = due.value ->> 1)`",
      ),
    ],
    rule: once,
  },
  {
    name: "reminded a day too early",
    what: "a customer is reminded on one day more before the billing than the merchant has set",
    edits: [
      edit(
        "src/domain/billing/due/due.ts",
        "date(at.today, at.days || ' days')",
        "date(at.today, (at.days + 1) || ' days')",
      ),

      edit(reminders, "today : addDays(today, days);", "today : addDays(today, days + 1);"),
    ],
    rule: what,
  },
  {
    name: "reminded in dunning",
    what: "a customer is reminded of a billing that does not come, as an earlier one is owed",
    edits: [
      edit(
        schema,
        "WHEN dunning_episode_id IS NULL AND billing_blocked_reason IS NOT 'import_held'\n    AND disputed_at IS NULL AND charge_on IS NOT",
        "WHEN billing_blocked_reason IS NOT 'import_held'\n    AND disputed_at IS NULL AND charge_on IS NOT",
      ),
    ],
    rule: what,
  },
  {
    name: "nobody is reminded",
    what: "cron finds no reminders that are due",
    edits: [
      edit(
        reminders,
        "await findDue(ctx, ctx.account.payment_reminder_days_before)",
        "await findDue(ctx, null)",
      ),
    ],
    rule: once,
  },
  {
    name: "an object blind to reminders",
    what: "an account's object does not know when a customer is next to be reminded",
    edits: [
      edit(
        "src/runtime/jobs/next-due.ts",
        "days === null || found.remind_of === null ? null : addDays(found.remind_of, -days)",
        "days === null || found.remind_of === null ? null : addDays(found.remind_of, 0)",
      ),
    ],
    rule: "an object looks when something is due",
  },
];
