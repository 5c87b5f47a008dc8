-- The people of a merchant who sign in to the console. email_folded: the e-mail address as it is compared. Somebody is INVITED until they
-- first sign in. last_seen_at is real time, and written at most each ten minutes. A removed member has no row: entries keep their name.
CREATE TABLE staff (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('INVITED', 'ACTIVE', 'SUSPENDED')),
  last_seen_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  revision INTEGER NOT NULL,
  PRIMARY KEY (account_seq, id)
) STRICT;
CREATE UNIQUE INDEX staff_by_email ON staff (account_seq, email_folded);
CREATE INDEX staff_by_time ON staff (account_seq, created_at, id);

-- One-time links into the console, and the sessions that they become. Of both only a hash is kept. seen_at: when the session was last used,
-- to ten minutes. Real time.
CREATE TABLE staff_links (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  staff_id TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  session_id TEXT,
  PRIMARY KEY (account_seq, id),
  FOREIGN KEY (account_seq, staff_id) REFERENCES staff (account_seq, id)
) STRICT;
CREATE UNIQUE INDEX staff_links_by_token ON staff_links (account_seq, token_hash);
CREATE INDEX staff_links_of_member ON staff_links (account_seq, staff_id);
CREATE INDEX staff_links_by_expiry ON staff_links (expires_at);

CREATE TABLE staff_sessions (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  staff_id TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, id),
  FOREIGN KEY (account_seq, staff_id) REFERENCES staff (account_seq, id)
) STRICT;
CREATE UNIQUE INDEX staff_sessions_by_token ON staff_sessions (account_seq, token_hash);
CREATE INDEX staff_sessions_of_member ON staff_sessions (account_seq, staff_id);
CREATE INDEX staff_sessions_by_expiry ON staff_sessions (expires_at);
