-- The status that the store was told without an answer, which may still come to be till silent_until.
ALTER TABLE contract_syncs ADD COLUMN silent_status TEXT CHECK (silent_status IN ('ACTIVE', 'PAUSED', 'CANCELLED', 'EXPIRED', 'FAILED'));
