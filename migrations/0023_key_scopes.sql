-- What a key may do, and until when. `scopes` is a list divided by spaces; NULL is all of them. `expires_at` NULL is never.
ALTER TABLE api_keys ADD COLUMN scopes TEXT;
ALTER TABLE api_keys ADD COLUMN expires_at TEXT;
