import { billing, edit, type Mutant } from "./edits.ts";

const rule = "deliveries made = paid for";

/** What keeps deliveries that are paid for from being lost, or from being made for nothing. */
export const aboutPrepaid: Mutant[] = [
  {
    name: "a frequency forgets what is owed",
    what: "a schedule that is counted anew begins with a billing",
    edits: [
      edit(
        "src/subscriptions/prepaid.ts",
        "  const counted = { anchor_date, next_index, next_billed_index };",
        "  const counted = { anchor_date, next_index, next_billed_index: next_billed_index * 0 };",
      ),
    ],
    caughtBy: "simulator",
    rule,
    times: 6,
  },
  {
    name: "a frequency changes what is paid for",
    what: "a billing pays for as many deliveries as its interval counts days",
    edits: [
      edit(
        "src/billing/snapshot.ts",
        "  deliveries: row.deliveries_per_billing,",
        "  deliveries: row.billing_interval_count,",
      ),
    ],
    caughtBy: "simulator",
    rule,
  },
  {
    name: "a cancel forgets what is owed",
    what: "a cancelled subscription has no dates, whatever is paid for",
    edits: [
      edit(
        "src/subscriptions/prepaid.ts",
        "  return { columns: { ...dates, next_billing_date: null, dunning_episode_id: null }, metadata };",
        "  return { columns: { ...dates, ...over }, metadata };",
      ),
    ],
    caughtBy: "simulator",
    rule,
  },
  {
    name: "a charge of a cancelled life pays for one delivery",
    what: "what it pays for besides its own order is not owed",
    edits: [
      edit(
        "src/subscriptions/prepaid.ts",
        "  const more = deliveries - 1;",
        "  const more = 0 * deliveries;",
      ),
    ],
    caughtBy: "simulator",
    rule,
  },
  {
    name: "reactivation forgets what is owed",
    what: "another life begins with a billing",
    edits: [
      edit(
        "src/subscriptions/actions/restart.ts",
        '  const life = { ...row, status: "ACTIVE" as const, current_billing_cycle: 1 };',
        '  const life = { ...row, status: "ACTIVE" as const, current_billing_cycle: 1, next_billed_index: row.next_index };',
      ),
    ],
    caughtBy: "simulator",
    rule,
    times: 6,
  },
  {
    name: "billed before what is paid for",
    what: "a billing does not wait for the deliveries of the one before",
    edits: [edit(`${billing}/process-due.ts`, "  if (deliveriesOwed(row) > 0) return undefined;\n", "")],
    caughtBy: {
      file: "test/billing/prepaid.test.ts",
      test: "a message that comes early bills nothing while deliveries are owed",
    },
  },
];
