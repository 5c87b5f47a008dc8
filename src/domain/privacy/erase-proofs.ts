import type { Statement } from "../../base/db/port.ts";
import { raw } from "../../base/db/statement.ts";
import { batchSize, type Customer } from "./erasure-batches.ts";

/** The declarations of the account ?1 that are of the customer ?2, by what they were found to be about or by the address. */
const ofCustomer = `account_seq = ?1 AND (profile_id = ?2
  OR email_folded = (SELECT email_folded FROM profiles WHERE account_seq = ?1 AND id = ?2))`;

/**
 * The proof that something was declared is kept for as long as the law asks for it: by whom, as the address says it, when, and what became of it.
 * Nothing else of it stays. The builder's `erase` knows no address.
 */
export function updateErasedDeclarations({ account_seq, profile_id, now }: Customer): Statement {
  return raw(
    `UPDATE declarations SET name = NULL, reason = NULL, note = NULL, revision = revision + 1, updated_at = ?4
      WHERE rowid IN (SELECT rowid FROM declarations WHERE ${ofCustomer}
        AND (name IS NOT NULL OR reason IS NOT NULL OR note IS NOT NULL) LIMIT ?3)
      RETURNING account_seq`,
    ...[account_seq, profile_id, batchSize, now],
  );
}

/** The acknowledgements, whose mails name no profile: they have the ids of the events that they tell of. */
export function updateErasedAcknowledgements({ account_seq, profile_id }: Customer): Statement {
  return raw(
    `UPDATE mails SET recipient = NULL, subject = NULL, is_masked = 1
      WHERE (account_seq, id) IN (
        SELECT mails.account_seq, mails.id FROM declarations CROSS JOIN activity_logs AS entry INDEXED BY activity_logs_by_record
          ON entry.account_seq = declarations.account_seq AND entry.loggable_type = 'declaration' AND entry.loggable_id = declarations.id
        CROSS JOIN mails ON mails.account_seq = entry.account_seq AND mails.id = entry.id
        WHERE declarations.rowid IN (SELECT rowid FROM declarations WHERE ${ofCustomer})
          AND (mails.recipient IS NOT NULL OR mails.subject IS NOT NULL) AND mails.status <> 'PENDING' LIMIT ?3)
      RETURNING account_seq`,
    ...[account_seq, profile_id, batchSize],
  );
}

/** The terms that a customer has agreed to stay, with when and how; where exactly may name the customer. */
export function updateErasedConsents({ account_seq, profile_id }: Customer): Statement {
  return raw(
    `UPDATE consents SET source = NULL WHERE (account_seq, id) IN (
        SELECT its.account_seq, its.id FROM subscriptions CROSS JOIN consents AS its
          ON its.account_seq = subscriptions.account_seq AND its.subscription_id = subscriptions.id
        WHERE subscriptions.account_seq = ?1 AND subscriptions.profile_id = ?2 AND its.source IS NOT NULL LIMIT ?3)
      RETURNING account_seq`,
    ...[account_seq, profile_id, batchSize],
  );
}
