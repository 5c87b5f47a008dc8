import type { SeededBug } from "../seeded-bug.ts";

/** A change of a file. Its text must occur exactly once, or the mutant is out of date. */
export type Edit = { file: string; find: string; replace: string };

/** A bug that is stated by the text that it replaces. */
export type Mutant = Omit<SeededBug, "rule"> & { rule?: string; edits: Edit[] };

export const billing = "src/domain/billing/actions";
export const schema = "migrations/0001_schema.sql";

export function edit(file: string, find: string, replace: string): Edit {
  return { file, find, replace };
}

export function dropIndex(name: string): Edit {
  return edit(schema, `CREATE UNIQUE INDEX ${name}`, `CREATE INDEX ${name}`);
}

export const randomKey = edit(
  `${billing}/start.ts`,
  "store_key: await deriveStoreKey({ ...identity, account_id: ctx.account.id })",
  "store_key: ctx.newId()",
);
export const unguarded = edit("src/kit/journal/write.ts", "{table.revision} = ", "{table.revision} > 0 * ");
export const alwaysBillable = edit(`${billing}/claim.ts`, "IN ('ACTIVE', 'PAYMENT_FAILED') AND", "<> '' AND");
export const notWithdrawn = edit(
  "src/domain/subscriptions/actions/end-of-billing.ts",
  "return row.open_attempt_id === null ? [] : withdrawAttempt(ctx, row, row.open_attempt_id);",
  'return row.open_attempt_id === "" ? withdrawAttempt(ctx, row, row.open_attempt_id) : [];',
);
export const unfenced = edit(`${billing}/settle.ts`, " && now.claims === claims;", ";");
export const anySettlement = edit(
  `${billing}/settle.ts`,
  "`NOT EXISTS (SELECT 1 FROM billing_attempts WHERE account_seq = ? AND id = ? AND claims = ?\n      AND status IN ('PROCESSING', 'ACTION_REQUIRED', 'REVIEW'))`",
  "`0 AND ? AND ? AND ?`",
);
export const withoutLease = edit(
  `${billing}/claim.ts`,
  'lte(lease_until, p("now"))',
  'lte(lease_until, "9999")',
);
export const oneOpen = dropIndex("billing_attempts_one_open");
export const oneKey = dropIndex("billing_attempts_one_key");
