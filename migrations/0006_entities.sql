-- What a subscription is for: a pet, a person. Deleted entities stay; subscriptions keep what they show.
CREATE TABLE entities (
  id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  profile_id TEXT NOT NULL,
  entity_type TEXT NOT NULL,
  name TEXT NOT NULL,
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  image_url TEXT,
  wizard_id TEXT,
  attributes TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, profile_id) REFERENCES profiles (account_id, id)
) STRICT;
CREATE INDEX entities_by_time ON entities (account_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX entities_by_name ON entities (account_id, name, id) WHERE deleted_at IS NULL;
CREATE INDEX entities_by_type ON entities (account_id, entity_type, id) WHERE deleted_at IS NULL;
CREATE INDEX entities_by_profile ON entities (account_id, profile_id, created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE entity_counts (
  account_id TEXT NOT NULL,
  entity_type TEXT NOT NULL,
  is_active INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_id, entity_type, is_active)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER entities_count_insert AFTER INSERT ON entities WHEN NEW.deleted_at IS NULL BEGIN
  INSERT INTO entity_counts VALUES (NEW.account_id, NEW.entity_type, NEW.is_active, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER entities_count_update AFTER UPDATE OF is_active, deleted_at ON entities
WHEN OLD.is_active <> NEW.is_active OR OLD.deleted_at IS NOT NEW.deleted_at BEGIN
  UPDATE entity_counts SET count = count - 1
    WHERE OLD.deleted_at IS NULL
      AND account_id = OLD.account_id AND entity_type = OLD.entity_type AND is_active = OLD.is_active;
  INSERT INTO entity_counts SELECT NEW.account_id, NEW.entity_type, NEW.is_active, 1 WHERE NEW.deleted_at IS NULL
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
