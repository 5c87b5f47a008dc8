-- What the merchant's customer portal looks like and lets customers do: JSON, of which what is absent has its default.
ALTER TABLE accounts ADD COLUMN portal TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(portal));
