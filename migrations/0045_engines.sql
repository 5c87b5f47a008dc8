-- Where an account's rows are: here, or in an object of its own, for which the row here is the entry in the directory.
ALTER TABLE accounts ADD COLUMN engine TEXT NOT NULL DEFAULT 'd1' CHECK (engine IN ('d1', 'object'));
