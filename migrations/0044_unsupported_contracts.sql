-- Contracts of a store's checkout that cannot become subscriptions, with why, until they can or have ended.
CREATE TABLE unsupported_contracts (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  store_contract_id INTEGER NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN
    ('CURRENCY', 'CUSTOMER', 'PAYMENT_METHOD', 'PRICES', 'LINES', 'INTERVALS', 'LAST_CYCLE', 'ADDRESS', 'OTHER')),
  message TEXT NOT NULL,
  currency_code TEXT NOT NULL,
  store_customer_id TEXT,
  first_seen_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  PRIMARY KEY (account_id, store_contract_id)
) STRICT;
CREATE INDEX unsupported_contracts_by_time ON unsupported_contracts (account_id, first_seen_at, store_contract_id);
CREATE INDEX unsupported_contracts_to_look_at ON unsupported_contracts (account_id, last_seen_at);
CREATE INDEX unsupported_contracts_by_customer ON unsupported_contracts (account_id, store_customer_id)
  WHERE store_customer_id IS NOT NULL;

-- JSON: the currencies in which the store sells, as they were when it was connected; NULL on the sandbox store.
ALTER TABLE accounts ADD COLUMN store_currencies TEXT;
