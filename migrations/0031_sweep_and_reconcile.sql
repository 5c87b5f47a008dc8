-- The sweep takes work account by account, so that no account's lost messages hide those of another.
DROP INDEX billing_attempts_to_do;
CREATE INDEX billing_attempts_to_do ON billing_attempts (account_id, next_action_at, id) WHERE next_action_at IS NOT NULL;
DROP INDEX contract_syncs_next;
CREATE INDEX contract_syncs_to_do ON contract_syncs (account_id, next_action_at, subscription_id)
  WHERE next_action_at IS NOT NULL;
DROP INDEX webhook_deliveries_to_do;
CREATE INDEX webhook_deliveries_to_do ON webhook_deliveries (account_id, next_action_at, webhook_id)
  WHERE next_action_at IS NOT NULL;

-- When an account's attempts are next compared with the charges of its store, and since when charges are still to be compared.
CREATE TABLE reconciliations (
  account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (id),
  next_at TEXT NOT NULL,
  since TEXT NOT NULL
) STRICT;
CREATE INDEX reconciliations_next ON reconciliations (next_at, account_id);
INSERT INTO reconciliations SELECT id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), created_at FROM accounts;
CREATE TRIGGER accounts_reconciled AFTER INSERT ON accounts BEGIN
  INSERT INTO reconciliations
    VALUES (NEW.id, strftime('%Y-%m-%dT%H:%M:%fZ', NEW.created_at, '+1 day'), NEW.created_at);
END;

-- The sandbox store names the subscription that a charge is for, as other stores name the contract.
ALTER TABLE sandbox_charges ADD COLUMN subscription_id TEXT;
CREATE INDEX sandbox_charges_by_time ON sandbox_charges (account_id, created_at, charge_number);

-- The attempts under a key, also those that were withdrawn or refused.
CREATE INDEX billing_attempts_by_key ON billing_attempts (account_id, store_key);
