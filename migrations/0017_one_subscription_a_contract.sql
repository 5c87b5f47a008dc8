-- A contract at the store is one subscription's, whoever hears of it first.
DROP INDEX subscriptions_by_contract;
CREATE UNIQUE INDEX subscriptions_by_contract ON subscriptions (account_id, store_contract_id);
