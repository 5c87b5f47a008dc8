-- One-time links into the customer portal, and the sessions that they become. Of both only a hash is kept. Real time.
CREATE TABLE portal_links (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  profile_id TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  return_url TEXT,
  locale TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  session_id TEXT,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, profile_id) REFERENCES profiles (account_id, id)
) STRICT;
CREATE UNIQUE INDEX portal_links_by_token ON portal_links (account_id, token_hash);
CREATE INDEX portal_links_of_profile ON portal_links (account_id, profile_id);
CREATE INDEX portal_links_by_expiry ON portal_links (expires_at);

CREATE TABLE portal_sessions (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  profile_id TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  return_url TEXT,
  locale TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, profile_id) REFERENCES profiles (account_id, id)
) STRICT;
CREATE UNIQUE INDEX portal_sessions_by_token ON portal_sessions (account_id, token_hash);
CREATE INDEX portal_sessions_of_profile ON portal_sessions (account_id, profile_id);
CREATE INDEX portal_sessions_by_expiry ON portal_sessions (expires_at);
