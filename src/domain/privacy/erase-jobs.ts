import type { Statement } from "../../base/db/port.ts";
import { raw } from "../../base/db/statement.ts";
import { batchSize, type Customer } from "./erasure-batches.ts";

/** Whatever jobs of the merchant have noted of the customer's subscriptions, and were still to do to them. Their rows are numbered, and name no profile. */
export function updateErasedJobRows({ account_seq, profile_id }: Customer): Statement {
  return raw(
    `UPDATE job_rows SET status = CASE status WHEN 'PENDING' THEN 'SKIPPED' ELSE status END,
        input = NULL, undo = NULL, errors = '[]', key = record_id WHERE rowid IN (
        SELECT its.rowid FROM subscriptions CROSS JOIN job_rows AS its
          ON its.account_seq = subscriptions.account_seq AND its.record_id = subscriptions.id
        WHERE subscriptions.account_seq = ?1 AND subscriptions.profile_id = ?2
          AND (its.status = 'PENDING' OR its.input IS NOT NULL OR its.undo IS NOT NULL OR its.errors <> '[]') LIMIT ?3)
      RETURNING account_seq`,
    ...[account_seq, profile_id, batchSize],
  );
}

/**
 * The input of bulk jobs with the customer's subscriptions on their lists, and the filter that has found these. A job that goes on for other customers
 * keeps what it does to theirs; its list is made, so that it needs no filter.
 */
export function updateErasedJobInputs({ account_seq, profile_id }: Customer): Statement {
  return raw(
    `UPDATE jobs SET input = CASE WHEN ${isDoneWith("jobs")}
        THEN json_object('action', input ->> 'action') ELSE json_remove(input, '$.filters') END
      WHERE rowid IN (
        SELECT DISTINCT its.rowid FROM subscriptions
          CROSS JOIN job_rows AS row ON row.account_seq = subscriptions.account_seq AND row.record_id = subscriptions.id
          CROSS JOIN jobs AS its ON its.account_seq = row.account_seq AND its.id = row.job_id
        WHERE subscriptions.account_seq = ?1 AND subscriptions.profile_id = ?2 AND its.kind = 'BULK'
          AND (${isOver("its")} OR COALESCE(its.resumes_as, its.status) <> 'STAGING')
          AND (its.input ->> 'filters' IS NOT NULL OR (its.input ->> 'input' IS NOT NULL AND ${isDoneWith("its")})) LIMIT ?3)
      RETURNING account_seq`,
    ...[account_seq, profile_id, batchSize],
  );
}

/** Whether a job is over, or has nothing to do to other customers' subscriptions. */
function isDoneWith(job: string): string {
  return `(${isOver(job)} OR NOT EXISTS (SELECT 1 FROM job_rows AS other CROSS JOIN subscriptions AS theirs
    ON theirs.account_seq = other.account_seq AND theirs.id = other.record_id
    WHERE other.account_seq = ?1 AND other.job_id = ${job}.id AND theirs.profile_id <> ?2))`;
}

function isOver(job: string): string {
  return `${job}.status IN ('DONE', 'CANCELLED', 'UNDOING', 'UNDONE')`;
}

/** The rows of files that name the customer, by e-mail address or by their id at the store, and the other rows of the same subscriptions. */
export function deleteImportLines({ account_seq, profile_id }: Customer): Statement {
  return raw(
    `DELETE FROM import_lines WHERE rowid IN (
        SELECT its.rowid FROM profiles CROSS JOIN import_lines AS named
          ON named.account_seq = profiles.account_seq
            AND named.customer IN (profiles.email_folded, ':' || profiles.store_customer_id)
          CROSS JOIN import_lines AS its
          ON its.account_seq = named.account_seq AND its.job_id = named.job_id AND its.ref = named.ref
        WHERE profiles.account_seq = ?1 AND profiles.id = ?2 LIMIT ?3)
      RETURNING account_seq`,
    ...[account_seq, profile_id, batchSize],
  );
}

/** The customer's e-mail address in what an import says of rows that are at fault. The revision tells the check that is under way. */
export function updateErasedImportSummaries({ account_seq, profile_id }: Customer): Statement {
  return raw(
    `UPDATE jobs SET revision = jobs.revision + 1, summary = replace(jobs.summary, named.member, '"email":null')
      FROM (SELECT '"email":' || json_quote(email_folded) AS member FROM profiles WHERE account_seq = ?1 AND id = ?2) AS named
      WHERE jobs.account_seq = ?1 AND jobs.kind = 'IMPORT' AND instr(jobs.summary, named.member) > 0
      RETURNING account_seq`,
    ...[account_seq, profile_id],
  );
}

/** The provider's ids of payment methods that the store was asked to make for the customer. */
export function deleteRemoteMethods({ account_seq, profile_id }: Customer): Statement {
  return raw(
    `DELETE FROM remote_payment_methods WHERE rowid IN (
        SELECT its.rowid FROM profiles CROSS JOIN remote_payment_methods AS its
          ON its.account_seq = profiles.account_seq AND its.store_customer_id = profiles.store_customer_id
        WHERE profiles.account_seq = ?1 AND profiles.id = ?2 LIMIT ?3)
      RETURNING account_seq`,
    ...[account_seq, profile_id, batchSize],
  );
}
