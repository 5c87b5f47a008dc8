import { edit, type Mutant } from "./edits.ts";

const rule = "deliveries made = paid for";

/** Bugs that lose paid deliveries, or make unpaid ones. */
export const prepaidMutants: Mutant[] = [
  {
    name: "a frequency change drops owed deliveries",
    what: "a new schedule begins with a billing",
    edits: [
      edit(
        "src/domain/subscriptions/dates/reanchor.ts",
        "    next_billed_index: owed,\n    ...(isMoved",
        "    next_billed_index: owed * 0,\n    ...(isMoved",
      ),
    ],
    rule,
    times: 6,
  },
  {
    name: "a frequency change alters what a billing pays for",
    what: "a billing pays for as many deliveries as its interval count",
    edits: [
      edit(
        "src/domain/billing/snapshot.ts",
        "  deliveries: row.deliveries_per_billing,",
        "  deliveries: row.billing_interval_count,",
      ),
    ],
    rule,
  },
  {
    name: "a cancel drops owed deliveries",
    what: "a cancelled subscription has no dates even where deliveries are paid for",
    edits: [
      edit(
        "src/domain/subscriptions/dates/prepaid.ts",
        "  return { columns: { ...dates, next_billing_date: null, dunning_episode_id: null }, metadata };",
        "  return { columns: { ...dates, ...over }, metadata };",
      ),
    ],
    rule,
  },
  {
    name: "a charge of a cancelled life pays for one delivery",
    what: "the further deliveries that it pays for are not owed",
    edits: [
      edit(
        "src/domain/subscriptions/dates/prepaid.ts",
        "  const more = deliveries - 1;",
        "  const more = 0 * deliveries;",
      ),
    ],
    rule,
  },
  {
    name: "a reactivation drops owed deliveries",
    what: "the new life begins with a billing",
    edits: [
      edit(
        "src/domain/subscriptions/dates/restarting.ts",
        '  const life = { ...row, status: "ACTIVE" as const, current_billing_cycle: 1 };',
        '  const life = { ...row, status: "ACTIVE" as const, current_billing_cycle: 1, next_billed_index: row.next_index };',
      ),
    ],
    rule,
    times: 6,
  },
];
