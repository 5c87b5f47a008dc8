-- A customer of a store. Deleted profiles stay, for history; their e-mail is free again.
-- search_identity and search_other are the folded fields that `search` looks through (profiles/rules.ts);
-- search_tenant, one trigram of the account's id, keeps other accounts' rows out of the index's answer.
CREATE TABLE profiles (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  revision INTEGER NOT NULL,
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL,
  first_name TEXT,
  last_name TEXT,
  title TEXT,
  phone_number TEXT,
  external_id TEXT,
  store_customer_id TEXT,
  email_status TEXT CHECK (email_status IN ('subscribed', 'unsubscribed', 'suppressed')),
  sms_status TEXT CHECK (sms_status IN ('subscribed', 'unsubscribed', 'suppressed')),
  timezone TEXT,
  address1 TEXT,
  address2 TEXT,
  city TEXT,
  region TEXT,
  country TEXT,
  country_code TEXT,
  postal_code TEXT,
  ip TEXT,
  search_identity TEXT NOT NULL,
  search_other TEXT NOT NULL,
  search_tenant TEXT GENERATED ALWAYS AS (substr(account_id, -3)) VIRTUAL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT,
  UNIQUE (account_id, id)
) STRICT;
CREATE UNIQUE INDEX profiles_email ON profiles (account_id, email_folded) WHERE deleted_at IS NULL;
CREATE INDEX profiles_by_time ON profiles (account_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX profiles_by_email_status ON profiles (account_id, email_status, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX profiles_by_store_customer ON profiles (account_id, store_customer_id) WHERE deleted_at IS NULL;

CREATE VIRTUAL TABLE profile_search USING fts5 (
  search_tenant, search_identity, search_other, content = 'profiles', content_rowid = 'seq', tokenize = 'trigram case_sensitive 1'
);
CREATE TRIGGER profiles_search_insert AFTER INSERT ON profiles BEGIN
  INSERT INTO profile_search (rowid, search_tenant, search_identity, search_other)
    VALUES (NEW.seq, NEW.search_tenant, NEW.search_identity, NEW.search_other);
END;
CREATE TRIGGER profiles_search_update AFTER UPDATE OF search_identity, search_other ON profiles
WHEN OLD.search_identity <> NEW.search_identity OR OLD.search_other <> NEW.search_other BEGIN
  INSERT INTO profile_search (profile_search, rowid, search_tenant, search_identity, search_other)
    VALUES ('delete', OLD.seq, OLD.search_tenant, OLD.search_identity, OLD.search_other);
  INSERT INTO profile_search (rowid, search_tenant, search_identity, search_other)
    VALUES (NEW.seq, NEW.search_tenant, NEW.search_identity, NEW.search_other);
END;

-- How many living profiles an account has, by what lists filter on: totals without counting rows.
CREATE TABLE profile_counts (
  account_id TEXT NOT NULL,
  email_status TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_id, email_status)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER profiles_count_insert AFTER INSERT ON profiles WHEN NEW.deleted_at IS NULL BEGIN
  INSERT INTO profile_counts VALUES (NEW.account_id, COALESCE(NEW.email_status, ''), 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER profiles_count_update AFTER UPDATE OF email_status, deleted_at ON profiles
WHEN OLD.email_status IS NOT NEW.email_status OR OLD.deleted_at IS NOT NEW.deleted_at BEGIN
  UPDATE profile_counts SET count = count - 1
    WHERE OLD.deleted_at IS NULL AND account_id = OLD.account_id AND email_status = COALESCE(OLD.email_status, '');
  INSERT INTO profile_counts SELECT NEW.account_id, COALESCE(NEW.email_status, ''), 1 WHERE NEW.deleted_at IS NULL
    ON CONFLICT DO UPDATE SET count = count + 1;
END;

-- Where a profile's deliveries can go.
CREATE TABLE delivery_addresses (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  profile_id TEXT NOT NULL,
  first_name TEXT,
  last_name TEXT,
  company TEXT,
  address1 TEXT NOT NULL,
  address2 TEXT,
  city TEXT NOT NULL,
  zip TEXT NOT NULL,
  province TEXT,
  province_code TEXT,
  country TEXT NOT NULL,
  country_code TEXT NOT NULL,
  phone TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, profile_id) REFERENCES profiles (account_id, id)
) STRICT;
CREATE INDEX delivery_addresses_by_profile ON delivery_addresses (account_id, profile_id, created_at, id)
  WHERE deleted_at IS NULL;
