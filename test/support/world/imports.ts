import {
  importLines,
  importParts,
  importRefs,
  remotePaymentMethods,
} from "../../../src/domain/imports/tables.ts";
import { jobRows, jobs } from "../../../src/domain/merchant-jobs/tables.ts";
import { insertOf } from "../database.ts";
import { type MakePart, now, stamps } from "./part.ts";

const path = "/api/imports/{id}";

/** An import that takes parts, and one that has ended and is held. */
export const importPart: MakePart = (of, mark, { staged, moved, billed }) => {
  const input = {
    source: mark,
    format: "csv",
    mapping: {},
    defaults: {},
    charge_from: "2026-01-02",
    past_due: "pause",
  };
  const next_35_days = { charges: 0, amount_here: 0, amount_there: 0 };
  const summary = { rows: 1, subscriptions: 1, errors: 0, differing: 0, currency_code: "USD", next_35_days };
  const its = { account_id: of.account.id, job_id: staged, part: 1 };
  return {
    writes: [
      ...Object.entries({ [staged]: "STAGING", [moved]: "DONE" } as const).map(([id, status]) =>
        insertOf(jobs, {
          id,
          account_id: of.account.id,
          ...{
            revision: 1,
            kind: "IMPORT",
            status,
            total: 1,
            done: 1,
            failed: 0,
            skipped: 0,
            undone: 0,
            tries: 0,
          },
          ...{ input: JSON.stringify(input), progress: "{}", summary: JSON.stringify(summary) },
          ...{ created_by: mark, created_by_type: "api", scopes: "", is_dry_run: 0, is_changing: 0 },
          ...stamps,
        }),
      ),
      insertOf(jobRows, {
        ...{ account_id: of.account.id, job_id: moved, n: 1, key: mark, record_id: billed },
        ...{ status: "OK", errors: "[]", summary: "{}" },
      }),
      insertOf(importParts, { ...its, row_count: 1 }),
      insertOf(importLines, {
        ...{ ...its, n: 1000, ref: mark, customer: `${mark}@example.com` },
        line: JSON.stringify({ fields: { subscription_ref: mark }, faults: [] }),
      }),
      insertOf(importRefs, {
        ...{
          account_id: of.account.id,
          source: mark,
          kind: "subscription",
          ref: mark,
          record_id: billed,
          job_id: moved,
        },
        is_held: 0,
      }),
      insertOf(remotePaymentMethods, {
        ...{ account_id: of.account.id, store_customer_id: mark, reference: "{}", job_id: moved },
        ...{ known_ids: "[]", requested_at: now, claimed_until: now, store_payment_method_id: mark },
      }),
    ],
    paths: { [`${path}/parts/{n}`]: { id: staged, n: "1" }, [`${path}/release`]: { id: moved } },
    raw: {
      putImportPart: {
        raw: `subscription_ref,email\n${mark},${mark}@example.com\n`,
        headers: { "Content-Type": "text/csv" },
      },
    },
  };
};
