-- The sweep takes work account by account, so that no account's lost messages hide those of another.
DROP INDEX billing_attempts_to_do;
CREATE INDEX billing_attempts_to_do ON billing_attempts (account_id, next_action_at, id) WHERE next_action_at IS NOT NULL;
DROP INDEX contract_syncs_next;
CREATE INDEX contract_syncs_to_do ON contract_syncs (account_id, next_action_at, subscription_id)
  WHERE next_action_at IS NOT NULL;
DROP INDEX webhook_deliveries_to_do;
CREATE INDEX webhook_deliveries_to_do ON webhook_deliveries (account_id, next_action_at, webhook_id)
  WHERE next_action_at IS NOT NULL;
