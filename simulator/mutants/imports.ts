import { edit, type Mutant, schema } from "./edits.ts";

const plans = "src/domain/imports/plan-rows.ts";
const write = "src/domain/imports/write-subscription.ts";

function bug(mutant: Mutant): Mutant {
  return { ...mutant, beside: "imports" };
}

/** Bugs in moving subscriptions in. */
export const importMutants: Mutant[] = [
  bug({
    name: "moved in by each import",
    what: "a file that is moved in twice makes two subscriptions of each ref",
    edits: [
      edit(
        plans,
        "const here = taken.imported.get(ref) ?? (taken.own.has(ref) ? ref : undefined);",
        "const here = ref === null ? taken.imported.get(ref) : undefined;",
      ),
      edit(
        plans,
        "const fault = takenFault(ref, taken, plan.planned);",
        "const fault = ref === null ? takenFault(ref, taken, plan.planned) : undefined;",
      ),
      edit(
        write,
        "(isOver(row) ? [] : guardSourceRef(ctx, row)),",
        "guardSourceRef(ctx, { ...row, migration_source_ref: null }),",
      ),
      edit(
        write,
        "ref,\n    record_id: row.id,\n    is_held: 1,",
        "ref: `${ref} ${job.id}`,\n    record_id: row.id,\n    is_held: 1,",
      ),
    ],
    rule: "a ref is moved in once",
  }),
  bug({
    name: "held and charged",
    what: "what was moved in is linked and charged before it is released",
    edits: [
      edit(schema, "WHEN billing_blocked_reason = 'import_held' THEN NULL\n", ""),
      edit("src/domain/billing/actions/process-due.ts", "if (isHeld(row)) return undefined;", ""),
      edit("src/domain/contracts/link.ts", " || isHeld(row)) return undefined;", ") return undefined;"),
      edit(
        "src/domain/subscriptions/unlinked.ts",
        "store_contract_id IS NULL AND billing_blocked_reason IS NOT '${importHeld}'",
        "store_contract_id IS NULL",
      ),
    ],
    rule: "what is held is not charged",
  }),
  bug({
    name: "charged before charge_from",
    what: "a subscription that is due earlier is moved in as it is, and charged by both",
    edits: [
      edit(
        "src/domain/imports/planned/dates.ts",
        "if (billing !== undefined && billing >= first) return true;",
        'if (billing !== undefined && billing >= first.replace(/.*/, "")) return true;',
      ),
    ],
    rule: "nothing is charged before charge_from",
  }),
  bug({
    name: "undone though changed",
    what: "an import that is undone deletes what somebody has paused since",
    edits: [
      edit(
        "src/domain/imports/undo.ts",
        " OR ${changes.ordered} OR ${changes.changed}`;",
        " OR ${changes.ordered}`;",
      ),
      edit(
        "src/domain/imports/undo.ts",
        '["charged", "ordered", "changed"] as const)',
        '["charged", "ordered"] as const)',
      ),
    ],
    rule: "undoing an import keeps what was changed",
  }),
];
