-- How far an account is on its way from one engine to the other, as JSON; null where it is not on its way.
ALTER TABLE accounts ADD COLUMN moving TEXT;
CREATE INDEX accounts_moving ON accounts (id) WHERE moving IS NOT NULL;

-- The sandbox store numbers each account's contracts and charges by themselves, so that an account keeps them in another database.
CREATE TABLE sandbox_contracts_of_accounts (
  contract_id INTEGER,
  account_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_id, subscription_id),
  UNIQUE (account_id, contract_id)
) STRICT;
INSERT INTO sandbox_contracts_of_accounts SELECT contract_id, account_id, subscription_id, created_at FROM sandbox_contracts;
DROP TABLE sandbox_contracts;
ALTER TABLE sandbox_contracts_of_accounts RENAME TO sandbox_contracts;
CREATE TRIGGER sandbox_contracts_number AFTER INSERT ON sandbox_contracts WHEN NEW.contract_id IS NULL BEGIN
  UPDATE sandbox_contracts
    SET contract_id = (SELECT COALESCE(MAX(contract_id), 0) + 1 FROM sandbox_contracts WHERE account_id = NEW.account_id)
    WHERE account_id = NEW.account_id AND subscription_id = NEW.subscription_id;
END;

CREATE TABLE sandbox_charges_of_accounts (
  charge_number INTEGER,
  account_id TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('LOST', 'PENDING', 'ACTION_REQUIRED', 'SUCCEEDED', 'DECLINED')),
  amount INTEGER NOT NULL,
  currency_code TEXT NOT NULL,
  error_code TEXT,
  created_at TEXT NOT NULL,
  subscription_id TEXT,
  PRIMARY KEY (account_id, idempotency_key),
  UNIQUE (account_id, charge_number)
) STRICT;
INSERT INTO sandbox_charges_of_accounts SELECT charge_number, account_id, idempotency_key, state, amount, currency_code, error_code,
  created_at, subscription_id FROM sandbox_charges;
DROP TABLE sandbox_charges;
ALTER TABLE sandbox_charges_of_accounts RENAME TO sandbox_charges;
CREATE INDEX sandbox_charges_by_time ON sandbox_charges (account_id, created_at, charge_number);
CREATE TRIGGER sandbox_charges_number AFTER INSERT ON sandbox_charges WHEN NEW.charge_number IS NULL BEGIN
  UPDATE sandbox_charges
    SET charge_number = (SELECT COALESCE(MAX(charge_number), 0) + 1 FROM sandbox_charges WHERE account_id = NEW.account_id)
    WHERE account_id = NEW.account_id AND idempotency_key = NEW.idempotency_key;
END;
