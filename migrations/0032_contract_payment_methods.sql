-- Customers replace the payment method of a contract at the store. agreed_method is the one, by the store's id, that contract and
-- subscription had when they last agreed: another one at the store was chosen there. A change here clears it, and goes first.
ALTER TABLE contract_syncs ADD COLUMN agreed_method TEXT;
-- The payment method that a change here replaced, and when: a late request of ours may still put it into the contract.
ALTER TABLE contract_syncs ADD COLUMN former_method TEXT;
ALTER TABLE contract_syncs ADD COLUMN method_changed_at TEXT;

-- Contracts with nothing left to send have the payment method of their subscription.
UPDATE contract_syncs SET agreed_method = (
  SELECT m.store_payment_method_id FROM subscriptions s
  JOIN payment_methods m ON m.account_id = s.account_id AND m.id = s.payment_method_id
  WHERE s.account_id = contract_syncs.account_id AND s.id = contract_syncs.subscription_id
) WHERE next_action_at IS NULL;

CREATE TRIGGER contract_syncs_payment_method AFTER UPDATE OF payment_method_id ON subscriptions
WHEN NEW.payment_method_id IS NOT OLD.payment_method_id BEGIN
  UPDATE contract_syncs SET agreed_method = NULL, method_changed_at = NEW.updated_at, former_method = (
    SELECT store_payment_method_id FROM payment_methods WHERE account_id = OLD.account_id AND id = OLD.payment_method_id
  ) WHERE account_id = NEW.account_id AND subscription_id = NEW.id;
END;
