-- The tick looks at the accounts whose rows are here, and reads none of those that have an object.
CREATE INDEX accounts_by_engine ON accounts (engine, timezone);
