-- The schema, in areas, to which later files add.
-- Instants are ISO 8601 in UTC, dates are calendar dates of the account's time zone, money is in minor units.

-- Accounts and their keys -----------------------------------------------------------------------------------------------------

-- An account is one merchant store; every other row belongs to one. Its store platform and settings; `portal` and
-- `store_currencies` and `store_missing_scopes` are JSON, of which what is absent has its default. The time that a test clock gives it: clock_at is its
-- own instant once it has moved, clock_target where it is moving to, clock_lease_until who moves it. due_busy_until: until when
-- cron leaves the account alone, while messages of an earlier search are worked off. engine: where its rows are, here or in an
-- object of its own, for which the row here is the entry in the directory; moving (JSON): how far it is on its way from one to
-- the other. closed_days (JSON): what its table of that name says, kept by triggers so that whoever has the account has them, too;
-- NULL without any. seq: the number by which every other row names its account, never given twice. It stays in this database: elsewhere,
-- in another database as at a store, an account is known by its id.
CREATE TABLE accounts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  shop TEXT NOT NULL UNIQUE CHECK (shop = lower(shop)),
  timezone TEXT NOT NULL,
  currency_code TEXT NOT NULL CHECK (length(currency_code) = 3),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  store TEXT NOT NULL DEFAULT 'sandbox',
  dunning_retry_days TEXT NOT NULL DEFAULT '[1,3,7]',
  dunning_final_action TEXT NOT NULL DEFAULT 'fail',
  payment_reminder_days_before INTEGER DEFAULT 3 CHECK (payment_reminder_days_before BETWEEN 0 AND 60),
  clock_at TEXT,
  clock_target TEXT,
  clock_lease_until TEXT,
  due_busy_until TEXT,
  prepaid_on_end TEXT NOT NULL DEFAULT 'deliver',
  out_of_stock_action TEXT NOT NULL DEFAULT 'retry',
  portal TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(portal)),
  notify_payment_update INTEGER NOT NULL DEFAULT 0,
  store_currencies TEXT,
  engine TEXT NOT NULL DEFAULT 'd1' CHECK (engine IN ('d1', 'object')),
  moving TEXT,
  on_foreign_charge TEXT NOT NULL DEFAULT 'wait',
  store_is_live INTEGER CHECK (store_is_live IN (0, 1)),
  store_missing_scopes TEXT CHECK (json_valid(store_missing_scopes)),
  notify_every_retry INTEGER NOT NULL DEFAULT 0 CHECK (notify_every_retry IN (0, 1)),
  closed_days TEXT CHECK (json_valid(closed_days)),
  is_test INTEGER NOT NULL DEFAULT 0 CHECK (is_test IN (0, 1)),
  on_dispute TEXT NOT NULL DEFAULT 'block',
  require_address INTEGER NOT NULL DEFAULT 0 CHECK (require_address IN (0, 1))
) STRICT;

-- The number 1 is the demo store's, which a local database may get after other accounts.
INSERT INTO sqlite_sequence (name, seq) VALUES ('accounts', 1);

CREATE INDEX accounts_advancing ON accounts (id) WHERE clock_target IS NOT NULL;

-- The tick looks at the accounts whose rows are here, zone by zone, and reads none of those that have an object. Those with a test
-- clock of their own are few beside them.
CREATE INDEX accounts_in_real_time ON accounts (engine, timezone) WHERE clock_at IS NULL;
CREATE INDEX accounts_on_test_clocks ON accounts (engine) WHERE clock_at IS NOT NULL;
CREATE INDEX accounts_by_store ON accounts (store, engine);
CREATE INDEX accounts_moving ON accounts (id) WHERE moving IS NOT NULL;

-- The account of an object that was erased: a call that was under way must not begin it anew. No column is named account_seq, as
-- an erasure empties all tables that have one.
CREATE TABLE erased_accounts (
  id TEXT PRIMARY KEY,
  erased_at TEXT NOT NULL
) STRICT;

-- Keys are stored as hashes only. `scopes` is a list divided by spaces, NULL for all of them; `expires_at` is NULL for never. requires_preview
-- and max_amount (minor units) bound what a key may do.
CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  name TEXT NOT NULL,
  key_hash TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at TEXT,
  scopes TEXT,
  expires_at TEXT,
  requires_preview INTEGER NOT NULL DEFAULT 0 CHECK (requires_preview IN (0, 1)),
  max_amount INTEGER CHECK (max_amount >= 0)
) STRICT;
CREATE INDEX api_keys_by_account ON api_keys (account_seq, created_at, id);

-- How batches are written -----------------------------------------------------------------------------------------------------

-- The assertions of a batch about the state it was decided on: `INSERT INTO guards (ok) SELECT 0 WHERE <not so>` fails it.
CREATE TABLE guards (
  ok INTEGER NOT NULL,
  CONSTRAINT guard CHECK (ok = 1)
) STRICT;

-- One row for each caller, path and Idempotency-Key of the last 24 hours, claimed by the commit of its request. COMMITTED: its
-- change is made, its answer not yet kept; DONE: answered, `body` is replayed. `made` (JSON) are the ids that the request has
-- made by its commit, of which its answer is made anew where it was lost or is too long to keep.
CREATE TABLE idempotency_keys (
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  caller TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  token TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('COMMITTED', 'DONE')),
  status INTEGER,
  headers TEXT,
  body TEXT,
  created_at TEXT NOT NULL,
  made TEXT,
  PRIMARY KEY (account_seq, caller, method, path, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Customers: profiles, addresses, entities ------------------------------------------------------------------------------------

-- A customer of a store. Deleted profiles stay, for history; their e-mail is free again. email_folded has the domain in ASCII.
-- search_identity, by which their records are found too, and search_other are the folded fields that `search` looks through; search_tenant, one trigram of the account's number, keeps other accounts' rows out
-- of the index's answer. store_seen (JSON) is what the store last said of the customer, hashed field by field: what it says
-- anew is a change there, and is followed.
CREATE TABLE profiles (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  revision INTEGER NOT NULL,
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL,
  first_name TEXT,
  last_name TEXT,
  title TEXT,
  phone_number TEXT,
  external_id TEXT,
  store_customer_id TEXT,
  email_status TEXT,
  sms_status TEXT,
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
  search_tenant TEXT GENERATED ALWAYS AS (printf('%03x', account_seq & 4095)) VIRTUAL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT,
  store_seen TEXT,
  locale TEXT,
  UNIQUE (account_seq, id)
) STRICT;
CREATE UNIQUE INDEX profiles_email ON profiles (account_seq, email_folded) WHERE deleted_at IS NULL;
CREATE INDEX profiles_by_time ON profiles (account_seq, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX profiles_by_email_status ON profiles (account_seq, email_status, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX profiles_by_store_customer ON profiles (account_seq, store_customer_id) WHERE deleted_at IS NULL;

-- A redaction concerns deleted profiles, too.
CREATE INDEX profiles_deleted_by_store_customer ON profiles (account_seq, store_customer_id) WHERE deleted_at IS NOT NULL;

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

CREATE TRIGGER profiles_search_delete AFTER DELETE ON profiles BEGIN
  INSERT INTO profile_search (profile_search, rowid, search_tenant, search_identity, search_other)
    VALUES ('delete', OLD.seq, OLD.search_tenant, OLD.search_identity, OLD.search_other);
END;

-- How many living profiles an account has, by what lists filter on: totals without counting rows.
CREATE TABLE profile_counts (
  account_seq INTEGER NOT NULL,
  email_status TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_seq, email_status)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER profiles_count_insert AFTER INSERT ON profiles WHEN NEW.deleted_at IS NULL BEGIN
  INSERT INTO profile_counts (account_seq, email_status, count) VALUES (NEW.account_seq, COALESCE(NEW.email_status, ''), 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER profiles_count_update AFTER UPDATE OF email_status, deleted_at ON profiles
WHEN OLD.email_status IS NOT NEW.email_status OR OLD.deleted_at IS NOT NEW.deleted_at BEGIN
  UPDATE profile_counts SET count = count - 1
    WHERE OLD.deleted_at IS NULL AND account_seq = OLD.account_seq AND email_status = COALESCE(OLD.email_status, '');
  INSERT INTO profile_counts (account_seq, email_status, count) SELECT NEW.account_seq, COALESCE(NEW.email_status, ''), 1 WHERE NEW.deleted_at IS NULL
    ON CONFLICT DO UPDATE SET count = count + 1;
END;

-- The pieces of an upload, until all of it is applied at once: `rows` is a JSON array of arrays. Pieces of a request that died
-- are removed within the hour. created_at is real time.
CREATE TABLE profile_uploads (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  piece INTEGER NOT NULL,
  rows TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, id, piece)
) STRICT;
CREATE INDEX profile_uploads_by_age ON profile_uploads (created_at);

-- Customers whose data a merchant has asked to erase, until it is. The rows are the outbox, by real time.
CREATE TABLE profile_erasures (
  account_seq INTEGER NOT NULL,
  profile_id TEXT NOT NULL,
  requested_at TEXT NOT NULL,
  next_action_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, profile_id),
  FOREIGN KEY (account_seq, profile_id) REFERENCES profiles (account_seq, id)
) STRICT;
CREATE INDEX profile_erasures_to_do ON profile_erasures (account_seq, next_action_at, profile_id)
  WHERE next_action_at IS NOT NULL;

-- Where a profile's deliveries can go.
CREATE TABLE delivery_addresses (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL,
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
  PRIMARY KEY (account_seq, id),
  FOREIGN KEY (account_seq, profile_id) REFERENCES profiles (account_seq, id)
) STRICT;
CREATE INDEX delivery_addresses_by_profile ON delivery_addresses (account_seq, profile_id, created_at, id)
  WHERE deleted_at IS NULL;
CREATE INDEX delivery_addresses_deleted_by_profile ON delivery_addresses (account_seq, profile_id)
  WHERE deleted_at IS NOT NULL;

-- The entities that subscriptions are for: a pet, a person. Deleted entities stay; subscriptions keep what they show.
CREATE TABLE entities (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
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
  PRIMARY KEY (account_seq, id),
  FOREIGN KEY (account_seq, profile_id) REFERENCES profiles (account_seq, id)
) STRICT;
CREATE INDEX entities_by_time ON entities (account_seq, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX entities_by_name ON entities (account_seq, name, id) WHERE deleted_at IS NULL;
CREATE INDEX entities_by_type ON entities (account_seq, entity_type, id) WHERE deleted_at IS NULL;
CREATE INDEX entities_by_type_and_time ON entities (account_seq, entity_type, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX entities_by_profile ON entities (account_seq, profile_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX entities_inactive ON entities (account_seq, is_active, created_at, id) WHERE is_active = 0 AND deleted_at IS NULL;
CREATE INDEX entities_deleted_by_profile ON entities (account_seq, profile_id) WHERE deleted_at IS NOT NULL;

CREATE TABLE entity_counts (
  account_seq INTEGER NOT NULL,
  entity_type TEXT NOT NULL,
  is_active INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_seq, entity_type, is_active)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER entities_count_insert AFTER INSERT ON entities WHEN NEW.deleted_at IS NULL BEGIN
  INSERT INTO entity_counts (account_seq, entity_type, is_active, count) VALUES (NEW.account_seq, NEW.entity_type, NEW.is_active, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER entities_count_update AFTER UPDATE OF is_active, deleted_at ON entities
WHEN OLD.is_active <> NEW.is_active OR OLD.deleted_at IS NOT NEW.deleted_at BEGIN
  UPDATE entity_counts SET count = count - 1
    WHERE OLD.deleted_at IS NULL
      AND account_seq = OLD.account_seq AND entity_type = OLD.entity_type AND is_active = OLD.is_active;
  INSERT INTO entity_counts (account_seq, entity_type, is_active, count) SELECT NEW.account_seq, NEW.entity_type, NEW.is_active, 1 WHERE NEW.deleted_at IS NULL
    ON CONFLICT DO UPDATE SET count = count + 1;
END;

-- The offers of a store: reasons, delivery times, plans -----------------------------------------------------------------------

-- Why a customer skips, pauses or cancels: one ordered list for each account and kind. Deleted reasons stay, for history. Without a label
-- in a customer's language they see `label`.
CREATE TABLE reasons (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  kind TEXT NOT NULL,
  label TEXT NOT NULL,
  label_de TEXT,
  label_fr TEXT,
  label_es TEXT,
  description TEXT,
  position INTEGER NOT NULL CHECK (position >= 0),
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT,
  PRIMARY KEY (account_seq, id)
) STRICT;
CREATE INDEX reasons_in_order ON reasons (account_seq, kind, position, created_at, id) WHERE deleted_at IS NULL;

-- When a store delivers: days of the week (1 = Monday … 7 = Sunday), and slots of time on a day.
CREATE TABLE delivery_days (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  day_of_week INTEGER NOT NULL CHECK (day_of_week BETWEEN 1 AND 7),
  packing_day_of_week INTEGER CHECK (packing_day_of_week BETWEEN 1 AND 7),
  billing_day_of_week INTEGER CHECK (billing_day_of_week BETWEEN 1 AND 7),
  courier_lead_time_days INTEGER CHECK (courier_lead_time_days >= 0),
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT,
  PRIMARY KEY (account_seq, id)
) STRICT;
CREATE INDEX delivery_days_by_time ON delivery_days (account_seq, created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE delivery_slots (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  delivery_day_id TEXT NOT NULL,
  label TEXT NOT NULL,
  start_time TEXT NOT NULL,
  end_time TEXT NOT NULL,
  is_all_day INTEGER NOT NULL CHECK (is_all_day IN (0, 1)),
  position INTEGER NOT NULL,
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT,
  cutoff_days INTEGER CHECK (cutoff_days BETWEEN 0 AND 14),
  cutoff_time TEXT,
  max_deliveries_per_day INTEGER CHECK (max_deliveries_per_day > 0),
  PRIMARY KEY (account_seq, id),
  FOREIGN KEY (account_seq, delivery_day_id) REFERENCES delivery_days (account_seq, id)
) STRICT;
CREATE INDEX delivery_slots_by_day ON delivery_slots (account_seq, delivery_day_id);
CREATE INDEX delivery_slots_by_time ON delivery_slots (account_seq, created_at, id) WHERE deleted_at IS NULL;

-- How many deliveries a slot has on a day: the next ones of active subscriptions, and orders that are not cancelled. Triggers
-- count them (below, at subscriptions and orders). over_full_since: when a delivery came that the slot had no room for;
-- reported_at: when people were told of it, once for each slot and day.
CREATE TABLE delivery_counts (
  account_seq INTEGER NOT NULL,
  delivery_slot_id TEXT NOT NULL,
  delivery_date TEXT NOT NULL,
  count INTEGER NOT NULL,
  over_full_since TEXT,
  reported_at TEXT,
  PRIMARY KEY (account_seq, delivery_slot_id, delivery_date)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_counts_to_report ON delivery_counts (account_seq, over_full_since)
  WHERE over_full_since IS NOT NULL AND reported_at IS NULL;

-- Days on which a store does not deliver, pack or charge: from_date to to_date, both included. applies_to (JSON) are the kinds of
-- dates, slot_ids (JSON) the slots, all where it is empty. walk (JSON): how far the stored next dates of subscriptions have been
-- worked out anew since the last change, and next_action_at when to go on; NULL once all are. A deleted one stays, as its walk does.
CREATE TABLE closed_days (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  from_date TEXT NOT NULL,
  to_date TEXT NOT NULL CHECK (to_date >= from_date),
  applies_to TEXT NOT NULL CHECK (json_valid(applies_to)),
  slot_ids TEXT NOT NULL CHECK (json_valid(slot_ids)),
  rule TEXT NOT NULL,
  label TEXT NOT NULL,
  walk TEXT CHECK (json_valid(walk)),
  next_action_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT,
  PRIMARY KEY (account_seq, id)
) STRICT;
CREATE INDEX closed_days_by_time ON closed_days (account_seq, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX closed_days_to_do ON closed_days (account_seq, next_action_at, id) WHERE next_action_at IS NOT NULL;

CREATE TRIGGER closed_days_insert AFTER INSERT ON closed_days WHEN NEW.deleted_at IS NULL BEGIN
  UPDATE accounts SET closed_days = (SELECT NULLIF(json_group_array(json_object('id', id, 'from', from_date, 'to', to_date,
      'applies_to', json(applies_to), 'slot_ids', json(slot_ids), 'rule', rule, 'label', label)), '[]')
    FROM (SELECT * FROM closed_days WHERE account_seq = NEW.account_seq AND deleted_at IS NULL ORDER BY created_at, id))
    WHERE seq = NEW.account_seq;
END;

CREATE TRIGGER closed_days_update AFTER UPDATE OF from_date, to_date, applies_to, slot_ids, rule, label, deleted_at ON closed_days
BEGIN
  UPDATE accounts SET closed_days = (SELECT NULLIF(json_group_array(json_object('id', id, 'from', from_date, 'to', to_date,
      'applies_to', json(applies_to), 'slot_ids', json(slot_ids), 'rule', rule, 'label', label)), '[]')
    FROM (SELECT * FROM closed_days WHERE account_seq = NEW.account_seq AND deleted_at IS NULL ORDER BY created_at, id))
    WHERE seq = NEW.account_seq;
END;

-- How something is sold on subscription. The id is the store's own where the plan is; a discount_value is basis points of a
-- percentage, or minor units off each unit. store_group_id: the group that the store sells the plan in, where the store told of
-- it. `product_ids` (JSON) are the products that a plan is offered for, NULL where the store alone decides that; store_plan_id
-- is the plan's id at the store; store_sync_error is the store's last refusal.
CREATE TABLE selling_plans (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  name TEXT NOT NULL,
  billing_interval TEXT NOT NULL CHECK (billing_interval IN ('DAY', 'WEEK', 'MONTH', 'YEAR')),
  billing_interval_count INTEGER NOT NULL CHECK (billing_interval_count > 0),
  delivery_interval TEXT NOT NULL CHECK (delivery_interval IN ('DAY', 'WEEK', 'MONTH', 'YEAR')),
  delivery_interval_count INTEGER NOT NULL CHECK (delivery_interval_count > 0),
  discount_type TEXT,
  discount_value INTEGER,
  shipping_amount INTEGER NOT NULL CHECK (shipping_amount >= 0),
  min_cycles INTEGER CHECK (min_cycles > 0),
  max_cycles INTEGER CHECK (max_cycles > 0),
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  store_group_id TEXT,
  product_ids TEXT,
  store_plan_id TEXT,
  store_sync_error TEXT,
  PRIMARY KEY (account_seq, id),
  CHECK ((discount_type IS NULL) = (discount_value IS NULL))
) STRICT;
CREATE INDEX selling_plans_by_time ON selling_plans (account_seq, created_at, id);
CREATE INDEX selling_plans_by_group ON selling_plans (account_seq, store_group_id) WHERE store_group_id IS NOT NULL;
CREATE INDEX selling_plans_by_store_plan ON selling_plans (account_seq, store_plan_id) WHERE store_plan_id IS NOT NULL;

-- What customers may choose among, where the merchant lists no frequencies: those of the active plans.
CREATE INDEX selling_plans_offered ON selling_plans (account_seq, is_active, billing_interval, billing_interval_count);

-- Items that customers may put into their subscriptions, at most 500 for each account, as the merchant lists them: price in minor units
-- of the account's currency. selling_plan_ids (JSON) are the plans whose lines it is for, all where it is empty.
CREATE TABLE catalogue_items (
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  store_variant_id TEXT NOT NULL,
  store_product_id TEXT NOT NULL,
  product_title TEXT NOT NULL,
  variant_title TEXT,
  image_url TEXT,
  price INTEGER NOT NULL CHECK (price >= 0),
  selling_plan_ids TEXT NOT NULL CHECK (json_valid(selling_plan_ids)),
  is_one_time_allowed INTEGER NOT NULL CHECK (is_one_time_allowed IN (0, 1)),
  position INTEGER NOT NULL CHECK (position >= 0),
  PRIMARY KEY (account_seq, store_variant_id)
) STRICT, WITHOUT ROWID;

-- Payment methods -------------------------------------------------------------------------------------------------------------

-- The payment methods that customers have at the store; the store keeps the card, and here is what may be shown of it.
-- expiry_seen_of: the expiry that was last looked at, expiry_next_on: the day on which it is looked at again, if at all; another
-- expiry begins anew. Generated: expires_on, the last day of its month, and expiry_due_on, the day on which to look whether a
-- subscription is paid with it and its customer is to be told.
CREATE TABLE payment_methods (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL,
  profile_id TEXT NOT NULL,
  store_payment_method_id TEXT NOT NULL,
  brand TEXT,
  last4 TEXT,
  exp_month INTEGER,
  exp_year INTEGER,
  is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
  status TEXT NOT NULL CHECK (status IN ('VALID', 'EXPIRED', 'REVOKED')),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  expiry_seen_of TEXT,
  expiry_next_on TEXT,
  expires_on TEXT GENERATED ALWAYS AS (date(printf('%04d-%02d-01', exp_year, exp_month), '+1 month', '-1 day')) VIRTUAL,
  expiry_due_on TEXT GENERATED ALWAYS AS (
    CASE WHEN status <> 'VALID' THEN NULL WHEN expiry_seen_of IS expires_on THEN expiry_next_on
    ELSE date(expires_on, '-30 days') END
  ) VIRTUAL,
  PRIMARY KEY (account_seq, id),
  UNIQUE (account_seq, profile_id, store_payment_method_id),
  FOREIGN KEY (account_seq, profile_id) REFERENCES profiles (account_seq, id)
) STRICT;

CREATE INDEX payment_methods_by_expiry ON payment_methods (account_seq, expires_on) WHERE expires_on IS NOT NULL;
CREATE INDEX payment_methods_expiring ON payment_methods (account_seq, expiry_due_on) WHERE expiry_due_on IS NOT NULL;

-- Payment methods are looked up by the store's id alone, whosever they are.
CREATE INDEX payment_methods_by_store_id ON payment_methods (account_seq, store_payment_method_id);

-- Subscriptions ---------------------------------------------------------------------------------------------------------------

-- A recurring order. Dates are calendar dates in the account's time zone: the n-th delivery is anchor_date plus n intervals
-- (anchor_day: the day of the month that it keeps, where the month of anchor_date is too short for it; else NULL),
-- next_index is the n of the next, next_billed_index that of the next one that is billed, deliveries_per_billing how many one
-- billing pays for (prepaid plans bill several at once). scheduled_index and scheduled_delivery_date: the next delivery by the
-- schedule alone, where closed days have moved one of its dates; else NULL. schedule_revision counts what has moved the dates; activation counts
-- lives: cycles count anew with each. former_contract_id: the store's contract of the last life that had one, which ends before
-- the next is linked. `lines` and `discounts` are JSON arrays that change with the row, under its revision.
-- Money in minor units. open_attempt_id, the attempt in progress, is set and cleared under the revision, so that whoever
-- changes a subscription knows of it. billing_blocked_reason: why billing stands still, the code of the attempt under review,
-- or of what billing waits for; billing_waiting_since, billing_wait_count, billing_retry_at: since when it waits for the
-- merchant or the store, how often it was tried since, and when it is tried next (NULL while an attempt is open), by the
-- account's time. restart_billing_date: the first charge once a pause has ended by itself, NULL without one; charge_on, generated, the next
-- charge of a subscription that is billed or is going to be by itself. disputed_at: since when a dispute keeps it from being billed; NULL while none does. store_sync_error: the store's last refusal, as people should read it; NULL where the store agrees. Generated:
-- due_on, the date on which the schedule asks for something: a pause ends, a delivery that is paid for is made, a cycle is
-- billed; nothing while it was moved in and not released (import_held), and no cycle while it is disputed or waits for an address (address_missing), and none before no_charge_before; retry_due_at, billing_retry_at while it is not disputed; remind_of, the billing date that a reminder is still to be sent for; reminder_sent_for, that whose reminder a
-- receiver has accepted; reminder_recorded_for, that whose reminder was recorded and that nobody has accepted. source_group_id:
-- the first of the subscriptions that one request has made with one migration_source_ref, of which at most one request's live
-- at a time. ends_on: the day on which it ends by itself.
CREATE TABLE subscriptions (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  revision INTEGER NOT NULL,
  number INTEGER NOT NULL,
  profile_id TEXT NOT NULL,
  entity_id TEXT,
  entity_label TEXT,
  status TEXT NOT NULL CHECK (status IN ('ACTIVE', 'PAUSED', 'CANCELLED', 'EXPIRED', 'PAYMENT_FAILED')),
  currency_code TEXT NOT NULL,
  billing_interval TEXT NOT NULL CHECK (billing_interval IN ('DAY', 'WEEK', 'MONTH', 'YEAR')),
  billing_interval_count INTEGER NOT NULL CHECK (billing_interval_count > 0),
  delivery_interval TEXT NOT NULL CHECK (delivery_interval IN ('DAY', 'WEEK', 'MONTH', 'YEAR')),
  delivery_interval_count INTEGER NOT NULL CHECK (delivery_interval_count > 0),
  anchor_date TEXT NOT NULL,
  anchor_day INTEGER,
  next_index INTEGER NOT NULL CHECK (next_index >= 0),
  next_billed_index INTEGER NOT NULL,
  schedule_revision INTEGER NOT NULL,
  activation INTEGER NOT NULL CHECK (activation > 0),
  current_billing_cycle INTEGER NOT NULL CHECK (current_billing_cycle > 0),
  next_billing_date TEXT,
  next_delivery_date TEXT,
  next_production_date TEXT,
  scheduled_index INTEGER,
  scheduled_delivery_date TEXT,
  min_cycles INTEGER,
  max_cycles INTEGER,
  lines TEXT NOT NULL,
  discounts TEXT NOT NULL,
  subtotal INTEGER NOT NULL,
  discount_amount INTEGER NOT NULL,
  shipping_amount INTEGER NOT NULL,
  tax_amount INTEGER NOT NULL,
  total INTEGER NOT NULL CHECK (total >= 0),
  total_revenue INTEGER NOT NULL,
  payment_method_id TEXT,
  delivery_slot_id TEXT,
  delivery_address TEXT,
  delivery_instructions TEXT,
  note TEXT,
  custom_attributes TEXT,
  store_contract_id INTEGER,
  former_contract_id INTEGER,
  store_origin_order_id TEXT,
  migration_source_ref TEXT,
  last_order_id TEXT,
  dunning_episode_id TEXT,
  last_payment_reminder_sent_at TEXT,
  last_payment_reminder_billing_date TEXT,
  paused_at TEXT,
  pause_until TEXT,
  pause_reason TEXT,
  pause_reason_id TEXT,
  restart_billing_date TEXT,
  charge_on TEXT GENERATED ALWAYS AS (CASE status WHEN 'ACTIVE' THEN next_billing_date WHEN 'PAUSED' THEN restart_billing_date END) VIRTUAL,
  cancelled_at TEXT,
  cancellation_reason TEXT,
  cancellation_reason_id TEXT CHECK (cancellation_reason_id IS NULL OR status = 'CANCELLED'),
  search_text TEXT NOT NULL,
  search_tenant TEXT GENERATED ALWAYS AS (printf('%03x', account_seq & 4095)) VIRTUAL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  open_attempt_id TEXT,
  remind_of TEXT GENERATED ALWAYS AS (
    CASE WHEN dunning_episode_id IS NULL AND billing_blocked_reason IS NOT 'import_held'
    AND disputed_at IS NULL AND charge_on IS NOT last_payment_reminder_billing_date AND remind_days IS NULL THEN charge_on END
  ) VIRTUAL,
  remind_days INTEGER,
  remind_on TEXT GENERATED ALWAYS AS (
    CASE WHEN dunning_episode_id IS NULL AND remind_days IS NOT NULL
    AND billing_blocked_reason IS NOT 'import_held' AND disputed_at IS NULL
    AND charge_on IS NOT last_payment_reminder_billing_date THEN date(charge_on, '-' || remind_days || ' days') END
  ) VIRTUAL,
  disputed_at TEXT,
  store_sync_error TEXT,
  deliveries_per_billing INTEGER NOT NULL DEFAULT 1 CHECK (deliveries_per_billing > 0),
  billing_blocked_reason TEXT,
  billing_waiting_since TEXT,
  billing_wait_count INTEGER NOT NULL DEFAULT 0,
  billing_retry_at TEXT,
  no_charge_before TEXT,
  ends_on TEXT,
  due_on TEXT GENERATED ALWAYS AS (
    CASE
    WHEN billing_blocked_reason = 'import_held' THEN NULL
    WHEN status = 'PAUSED' THEN pause_until
    WHEN store_contract_id IS NULL AND status <> 'CANCELLED' THEN NULL
    WHEN next_index < next_billed_index THEN COALESCE(next_production_date, next_delivery_date)
    WHEN status <> 'ACTIVE' OR open_attempt_id IS NOT NULL OR dunning_episode_id IS NOT NULL
      OR billing_retry_at IS NOT NULL OR disputed_at IS NOT NULL OR billing_blocked_reason = 'address_missing' THEN NULL
    ELSE MAX(next_billing_date, COALESCE(no_charge_before, ''))
    END
  ) VIRTUAL,
  retry_due_at TEXT GENERATED ALWAYS AS (CASE WHEN disputed_at IS NULL THEN billing_retry_at END) VIRTUAL,
  source_group_id TEXT,
  reminder_sent_for TEXT GENERATED ALWAYS AS (
    CASE WHEN last_payment_reminder_sent_at IS NOT NULL AND charge_on = last_payment_reminder_billing_date THEN charge_on END
  ) VIRTUAL,
  reminder_recorded_for TEXT GENERATED ALWAYS AS (
    CASE WHEN dunning_episode_id IS NULL AND last_payment_reminder_sent_at IS NULL
    AND charge_on = last_payment_reminder_billing_date THEN charge_on END
  ) VIRTUAL,
  UNIQUE (account_seq, id),
  UNIQUE (account_seq, number),
  FOREIGN KEY (account_seq, profile_id) REFERENCES profiles (account_seq, id),
  FOREIGN KEY (account_seq, entity_id) REFERENCES entities (account_seq, id),
  FOREIGN KEY (account_seq, payment_method_id) REFERENCES payment_methods (account_seq, id) DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY (account_seq, delivery_slot_id) REFERENCES delivery_slots (account_seq, id)
) STRICT;

-- A list's sorts have the status in front of their indexes: the rows of one status are read in order, and those of all statuses
-- are read in order too, merged. So one index serves the sort with and without the filter. Every index ends in the rowid, which
-- is `seq`: rows that a sort leaves equal are in that order.
CREATE INDEX subscriptions_by_status_and_time ON subscriptions (account_seq, status, created_at);
CREATE INDEX subscriptions_by_billing_date ON subscriptions (account_seq, status, next_billing_date);
CREATE INDEX subscriptions_by_delivery_date ON subscriptions (account_seq, status, next_delivery_date);
CREATE INDEX subscriptions_by_production_date ON subscriptions (account_seq, status, next_production_date);
CREATE INDEX subscriptions_moved ON subscriptions (account_seq, scheduled_delivery_date) WHERE scheduled_delivery_date IS NOT NULL;
CREATE INDEX subscriptions_by_total ON subscriptions (account_seq, status, total);
CREATE INDEX subscriptions_by_profile ON subscriptions (account_seq, profile_id, created_at);
CREATE INDEX subscriptions_by_entity ON subscriptions (account_seq, entity_id) WHERE entity_id IS NOT NULL;
CREATE INDEX subscriptions_by_slot ON subscriptions (account_seq, delivery_slot_id, created_at)
  WHERE delivery_slot_id IS NOT NULL;
CREATE INDEX subscriptions_blocked ON subscriptions (account_seq, created_at)
  WHERE billing_blocked_reason IS NOT NULL OR disputed_at IS NOT NULL;
CREATE INDEX subscriptions_by_cancellation ON subscriptions (account_seq, cancelled_at) WHERE cancelled_at IS NOT NULL;
CREATE INDEX subscriptions_by_cancellation_reason ON subscriptions (account_seq, cancellation_reason_id, created_at)
  WHERE cancellation_reason_id IS NOT NULL;

-- Those that owe a payment, in each order of the list. They are few, so that most rows are in none of these.
CREATE INDEX subscriptions_owing_by_time ON subscriptions (account_seq, status, created_at)
  WHERE (dunning_episode_id IS NOT NULL OR status = 'PAYMENT_FAILED') = 1;
CREATE INDEX subscriptions_owing_by_billing_date ON subscriptions (account_seq, status, next_billing_date)
  WHERE (dunning_episode_id IS NOT NULL OR status = 'PAYMENT_FAILED') = 1;
CREATE INDEX subscriptions_owing_by_delivery_date ON subscriptions (account_seq, status, next_delivery_date)
  WHERE (dunning_episode_id IS NOT NULL OR status = 'PAYMENT_FAILED') = 1;
CREATE INDEX subscriptions_owing_by_production_date ON subscriptions (account_seq, status, next_production_date)
  WHERE (dunning_episode_id IS NOT NULL OR status = 'PAYMENT_FAILED') = 1;
CREATE INDEX subscriptions_owing_by_total ON subscriptions (account_seq, status, total)
  WHERE (dunning_episode_id IS NOT NULL OR status = 'PAYMENT_FAILED') = 1;

-- A contract at the store is one subscription's, whoever hears of it first, also once a reactivation has unlinked it. Those that
-- are to get one are found account by account, oldest first; what was moved in and is not released is to have none, however
-- much it is.
CREATE UNIQUE INDEX subscriptions_by_contract ON subscriptions (account_seq, store_contract_id)
  WHERE store_contract_id IS NOT NULL;
CREATE INDEX subscriptions_by_former_contract ON subscriptions (account_seq, former_contract_id)
  WHERE former_contract_id IS NOT NULL;
CREATE INDEX subscriptions_unlinked ON subscriptions (account_seq)
  WHERE store_contract_id IS NULL AND billing_blocked_reason IS NOT 'import_held';

-- Which subscriptions are paid with a payment method; also what the foreign key asks when a payment method is added after the
-- subscription that refers to it, in one batch.
CREATE INDEX subscriptions_by_payment_method ON subscriptions (account_seq, payment_method_id)
  WHERE payment_method_id IS NOT NULL;
CREATE INDEX subscriptions_by_source ON subscriptions (account_seq, migration_source_ref, created_at)
  WHERE migration_source_ref IS NOT NULL;
CREATE INDEX subscriptions_living_by_source ON subscriptions (account_seq, migration_source_ref)
  WHERE migration_source_ref IS NOT NULL AND status IN ('ACTIVE', 'PAUSED', 'PAYMENT_FAILED');
-- Those whose next charge waits for no_charge_before though its delivery is planned for before.
CREATE INDEX subscriptions_charged_later ON subscriptions (account_seq) WHERE no_charge_before > next_delivery_date;
CREATE INDEX subscriptions_due ON subscriptions (account_seq, due_on) WHERE due_on IS NOT NULL;
CREATE INDEX subscriptions_billing_retry ON subscriptions (account_seq, retry_due_at, id) WHERE retry_due_at IS NOT NULL;
CREATE INDEX subscriptions_to_remind ON subscriptions (account_seq, remind_of) WHERE remind_of IS NOT NULL;
CREATE INDEX subscriptions_to_remind_by_rule ON subscriptions (account_seq, remind_on) WHERE remind_on IS NOT NULL;
CREATE INDEX subscriptions_by_sent_reminder ON subscriptions (account_seq, created_at) WHERE reminder_sent_for IS NOT NULL;
CREATE INDEX subscriptions_by_recorded_reminder ON subscriptions (account_seq, reminder_recorded_for)
  WHERE reminder_recorded_for IS NOT NULL;

-- What a forecast of goods looks at besides the subscriptions that live: the others with a delivery that is paid for, or a charge under
-- way; and pauses that end by themselves. Neither is written when a cycle is billed.
CREATE INDEX subscriptions_outstanding ON subscriptions (account_seq, number)
  WHERE status NOT IN ('ACTIVE', 'PAUSED') AND (next_index < next_billed_index OR open_attempt_id IS NOT NULL);
CREATE INDEX subscriptions_pausing ON subscriptions (account_seq, pause_until)
  WHERE status = 'PAUSED' AND pause_until IS NOT NULL;

CREATE VIRTUAL TABLE subscription_search USING fts5 (
  search_tenant, search_text, content = 'subscriptions', content_rowid = 'seq', tokenize = 'trigram case_sensitive 1'
);

CREATE TRIGGER subscriptions_search_insert AFTER INSERT ON subscriptions BEGIN
  INSERT INTO subscription_search (rowid, search_tenant, search_text) VALUES (NEW.seq, NEW.search_tenant, NEW.search_text);
END;

CREATE TRIGGER subscriptions_search_update AFTER UPDATE OF search_text ON subscriptions
WHEN OLD.search_text <> NEW.search_text BEGIN
  INSERT INTO subscription_search (subscription_search, rowid, search_tenant, search_text)
    VALUES ('delete', OLD.seq, OLD.search_tenant, OLD.search_text);
  INSERT INTO subscription_search (rowid, search_tenant, search_text) VALUES (NEW.seq, NEW.search_tenant, NEW.search_text);
END;

CREATE TRIGGER subscriptions_search_delete AFTER DELETE ON subscriptions BEGIN
  INSERT INTO subscription_search (subscription_search, rowid, search_tenant, search_text)
    VALUES ('delete', OLD.seq, OLD.search_tenant, OLD.search_text);
END;

CREATE TABLE subscription_counts (
  account_seq INTEGER NOT NULL,
  status TEXT NOT NULL,
  failed_payment INTEGER NOT NULL,
  delivery_interval TEXT NOT NULL,
  delivery_interval_count INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_seq, status, failed_payment, delivery_interval, delivery_interval_count)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER subscriptions_count_insert AFTER INSERT ON subscriptions BEGIN
  INSERT INTO subscription_counts (account_seq, status, failed_payment, delivery_interval, delivery_interval_count, count) VALUES (
      NEW.account_seq, NEW.status, NEW.dunning_episode_id IS NOT NULL OR NEW.status = 'PAYMENT_FAILED',
      NEW.delivery_interval, NEW.delivery_interval_count, 1
    ) ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER subscriptions_count_update
AFTER UPDATE OF status, dunning_episode_id, delivery_interval, delivery_interval_count ON subscriptions
WHEN OLD.status <> NEW.status OR OLD.dunning_episode_id IS NOT NEW.dunning_episode_id
  OR OLD.delivery_interval <> NEW.delivery_interval OR OLD.delivery_interval_count <> NEW.delivery_interval_count BEGIN
  UPDATE subscription_counts SET count = count - 1
    WHERE account_seq = OLD.account_seq AND status = OLD.status
      AND failed_payment = (OLD.dunning_episode_id IS NOT NULL OR OLD.status = 'PAYMENT_FAILED')
      AND delivery_interval = OLD.delivery_interval AND delivery_interval_count = OLD.delivery_interval_count;
  INSERT INTO subscription_counts (account_seq, status, failed_payment, delivery_interval, delivery_interval_count, count) VALUES (
      NEW.account_seq, NEW.status, NEW.dunning_episode_id IS NOT NULL OR NEW.status = 'PAYMENT_FAILED',
      NEW.delivery_interval, NEW.delivery_interval_count, 1
    ) ON CONFLICT DO UPDATE SET count = count + 1;
END;

-- A subscription is deleted where an import is undone.
CREATE TRIGGER subscriptions_count_delete AFTER DELETE ON subscriptions BEGIN
  UPDATE subscription_counts SET count = count - 1
    WHERE account_seq = OLD.account_seq AND status = OLD.status
      AND failed_payment = (OLD.dunning_episode_id IS NOT NULL OR OLD.status = 'PAYMENT_FAILED')
      AND delivery_interval = OLD.delivery_interval AND delivery_interval_count = OLD.delivery_interval_count;
END;

CREATE TRIGGER subscriptions_delivery_insert AFTER INSERT ON subscriptions
WHEN NEW.status = 'ACTIVE' AND NEW.delivery_slot_id IS NOT NULL AND NEW.next_delivery_date IS NOT NULL BEGIN
  INSERT INTO delivery_counts (account_seq, delivery_slot_id, delivery_date, count)
    VALUES (NEW.account_seq, NEW.delivery_slot_id, NEW.next_delivery_date, 1)
    ON CONFLICT DO UPDATE SET count = count + 1, over_full_since = COALESCE(over_full_since, CASE WHEN count >= (
      SELECT max_deliveries_per_day FROM delivery_slots WHERE account_seq = NEW.account_seq AND id = NEW.delivery_slot_id
    ) THEN NEW.updated_at END);
END;

CREATE TRIGGER subscriptions_delivery_delete AFTER DELETE ON subscriptions
WHEN OLD.status = 'ACTIVE' AND OLD.delivery_slot_id IS NOT NULL BEGIN
  UPDATE delivery_counts SET count = count - 1
    WHERE account_seq = OLD.account_seq AND delivery_slot_id = OLD.delivery_slot_id AND delivery_date = OLD.next_delivery_date;
END;

CREATE TRIGGER subscriptions_delivery_update AFTER UPDATE OF status, delivery_slot_id, next_delivery_date ON subscriptions
WHEN (OLD.status = 'ACTIVE' AND OLD.delivery_slot_id IS NOT NULL OR NEW.status = 'ACTIVE' AND NEW.delivery_slot_id IS NOT NULL)
  AND (OLD.status <> NEW.status OR OLD.delivery_slot_id IS NOT NEW.delivery_slot_id
    OR OLD.next_delivery_date IS NOT NEW.next_delivery_date) BEGIN
  UPDATE delivery_counts SET count = count - 1
    WHERE OLD.status = 'ACTIVE' AND account_seq = OLD.account_seq
      AND delivery_slot_id = OLD.delivery_slot_id AND delivery_date = OLD.next_delivery_date;
  INSERT INTO delivery_counts (account_seq, delivery_slot_id, delivery_date, count)
    SELECT NEW.account_seq, NEW.delivery_slot_id, NEW.next_delivery_date, 1
      WHERE NEW.status = 'ACTIVE' AND NEW.delivery_slot_id IS NOT NULL AND NEW.next_delivery_date IS NOT NULL
    ON CONFLICT DO UPDATE SET count = count + 1, over_full_since = COALESCE(over_full_since, CASE WHEN count >= (
      SELECT max_deliveries_per_day FROM delivery_slots WHERE account_seq = NEW.account_seq AND id = NEW.delivery_slot_id
    ) THEN NEW.updated_at END);
END;

-- Which plans and variants the lines of a subscription are of.
CREATE TABLE subscription_contents (
  account_seq INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('plan', 'variant')),
  value TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  PRIMARY KEY (account_seq, kind, value, subscription_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER subscriptions_contents_insert AFTER INSERT ON subscriptions BEGIN
  INSERT OR IGNORE INTO subscription_contents (account_seq, kind, value, subscription_id)
    SELECT NEW.account_seq, field.value, line.value ->> field.key, NEW.id
      FROM json_each(NEW.lines) AS line, json_each('{"selling_plan_id":"plan","store_variant_id":"variant"}') AS field;
END;

CREATE TRIGGER subscriptions_contents_delete AFTER DELETE ON subscriptions BEGIN
  DELETE FROM subscription_contents WHERE account_seq = OLD.account_seq AND subscription_id = OLD.id AND (kind, value) IN (
    SELECT field.value, line.value ->> field.key
      FROM json_each(OLD.lines) AS line, json_each('{"selling_plan_id":"plan","store_variant_id":"variant"}') AS field);
END;

CREATE TRIGGER subscriptions_contents_update AFTER UPDATE OF lines ON subscriptions WHEN OLD.lines <> NEW.lines BEGIN
  DELETE FROM subscription_contents WHERE account_seq = OLD.account_seq AND subscription_id = OLD.id AND (kind, value) IN (
    SELECT field.value, line.value ->> field.key
      FROM json_each(OLD.lines) AS line, json_each('{"selling_plan_id":"plan","store_variant_id":"variant"}') AS field
      WHERE line.value ->> field.key NOT IN (SELECT other.value ->> field.key FROM json_each(NEW.lines) AS other));
  INSERT OR IGNORE INTO subscription_contents (account_seq, kind, value, subscription_id)
    SELECT NEW.account_seq, field.value, line.value ->> field.key, NEW.id
      FROM json_each(NEW.lines) AS line, json_each('{"selling_plan_id":"plan","store_variant_id":"variant"}') AS field;
END;

-- The deliveries that a customer has skipped, with the dates as they were before and the reason's label as it was then
-- (skip_reason_labels: in other languages, JSON).
CREATE TABLE subscription_skips (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL,
  subscription_id TEXT NOT NULL,
  cycle INTEGER NOT NULL,
  skip_weeks INTEGER NOT NULL,
  deliveries INTEGER,
  store_cycle INTEGER,
  reason TEXT,
  skip_reason_id TEXT,
  skip_reason_label TEXT,
  skip_reason_labels TEXT,
  previous_index INTEGER NOT NULL,
  previous_anchor_date TEXT NOT NULL,
  previous_anchor_day INTEGER,
  previous_billing_date TEXT,
  previous_delivery_date TEXT,
  previous_production_date TEXT,
  previous_scheduled_index INTEGER,
  previous_scheduled_delivery_date TEXT,
  schedule_revision INTEGER NOT NULL,
  undone_at TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, subscription_id, created_at, id),
  FOREIGN KEY (account_seq, subscription_id) REFERENCES subscriptions (account_seq, id)
) STRICT, WITHOUT ROWID;

-- A subscription before a change that can be undone, by the entry of the change. changes (JSON): the columns, lines and discounts that it
-- has changed, each before and after; related_before and related_after (JSON): the rows of other tables that it has changed. activation and
-- cycle are those of the change. One of a job goes with the job's row, any other at prune_at, by real time.
CREATE TABLE undo_images (
  account_seq INTEGER NOT NULL,
  subscription_id TEXT NOT NULL,
  entry_id TEXT NOT NULL,
  activation INTEGER NOT NULL,
  cycle INTEGER NOT NULL,
  changes TEXT NOT NULL CHECK (json_valid(changes)),
  related_before TEXT CHECK (json_valid(related_before)),
  related_after TEXT CHECK (json_valid(related_after)),
  undone_at TEXT,
  created_at TEXT NOT NULL,
  prune_at TEXT,
  PRIMARY KEY (account_seq, subscription_id, entry_id),
  FOREIGN KEY (account_seq, subscription_id) REFERENCES subscriptions (account_seq, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX undo_images_to_prune ON undo_images (prune_at) WHERE prune_at IS NOT NULL;

-- Cancellation ----------------------------------------------------------------------------------------------------------------

-- What a merchant offers to customers who are about to leave. A version never changes; the newest one counts. offers (JSON) are as the
-- API has them, with amounts in major units, because they become requests again when they are accepted.
CREATE TABLE cancellation_flows (
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  version INTEGER NOT NULL CHECK (version > 0),
  is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
  offers TEXT NOT NULL CHECK (json_valid(offers)),
  cooldown_days INTEGER NOT NULL CHECK (cooldown_days >= 0),
  max_accepted INTEGER NOT NULL CHECK (max_accepted > 0),
  per TEXT NOT NULL,
  show_at_most INTEGER NOT NULL CHECK (show_at_most > 0),
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, version)
) STRICT, WITHOUT ROWID;

-- Customers on their way out: why, the offers that they were shown (JSON, frozen), the contents for which they hold (JSON), and what
-- became of it. A case that is OPEN after expires_at has expired. activation: the life of the subscription that it is about. discount_id: the discount that was accepted;
-- earlier_attempt_id: the charge that was under way then, which proves nothing. outcome: what an accepted offer has come to.
-- is_tracked: charges still count for it. cost and revenue_after in minor units of currency_code.
CREATE TABLE cancellation_cases (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL,
  subscription_id TEXT NOT NULL,
  profile_id TEXT NOT NULL,
  activation INTEGER NOT NULL,
  flow_version INTEGER,
  status TEXT NOT NULL CHECK (status IN ('OPEN', 'ACCEPTED', 'CONFIRMED', 'EXPIRED')),
  cancellation_reason_id TEXT,
  cancellation_reason_label TEXT,
  note TEXT,
  offers TEXT NOT NULL CHECK (json_valid(offers)),
  contents TEXT NOT NULL CHECK (json_valid(contents)),
  currency_code TEXT NOT NULL,
  opened_date TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  accepted_offer_id TEXT,
  accepted_kind TEXT,
  accepted_at TEXT,
  discount_id TEXT,
  earlier_attempt_id TEXT,
  confirmed_at TEXT,
  outcome TEXT CHECK (outcome IN ('PENDING', 'SAVED', 'LOST')),
  outcome_at TEXT,
  is_tracked INTEGER NOT NULL CHECK (is_tracked IN (0, 1)),
  cost INTEGER NOT NULL CHECK (cost >= 0),
  revenue_after INTEGER NOT NULL CHECK (revenue_after >= 0),
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, id),
  CHECK ((status = 'ACCEPTED') = (accepted_offer_id IS NOT NULL)),
  CHECK ((status = 'ACCEPTED') = (outcome IS NOT NULL)),
  FOREIGN KEY (account_seq, subscription_id) REFERENCES subscriptions (account_seq, id)
) STRICT;

CREATE UNIQUE INDEX cancellation_cases_one_open ON cancellation_cases (account_seq, subscription_id) WHERE status = 'OPEN';
CREATE INDEX cancellation_cases_by_subscription ON cancellation_cases (account_seq, subscription_id, created_at, id);
CREATE INDEX cancellation_cases_by_profile ON cancellation_cases (account_seq, profile_id, accepted_at);
CREATE INDEX cancellation_cases_accepted ON cancellation_cases (account_seq, subscription_id, accepted_at)
  WHERE accepted_at IS NOT NULL;
CREATE INDEX cancellation_cases_tracked ON cancellation_cases (account_seq, subscription_id) WHERE is_tracked = 1;

-- What the cases of a day came to, by reason ('' for none) and by offer; triggers count. A case belongs to the day on which it was
-- opened, whenever its outcome is known. Cases without an offer are in no row.
CREATE TABLE retention_days (
  account_seq INTEGER NOT NULL,
  grouping TEXT NOT NULL CHECK (grouping IN ('reason', 'offer')),
  day TEXT NOT NULL,
  group_key TEXT NOT NULL,
  currency_code TEXT NOT NULL,
  shown INTEGER NOT NULL,
  accepted INTEGER NOT NULL,
  saved INTEGER NOT NULL,
  lost INTEGER NOT NULL,
  cost INTEGER NOT NULL,
  revenue_after INTEGER NOT NULL,
  PRIMARY KEY (account_seq, grouping, day, group_key, currency_code)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER cancellation_cases_count_insert AFTER INSERT ON cancellation_cases WHEN NEW.offers <> '[]' BEGIN
  INSERT INTO retention_days (account_seq, grouping, day, group_key, currency_code, shown, accepted, saved, lost, cost, revenue_after)
    SELECT NEW.account_seq, 'reason', NEW.opened_date, COALESCE(NEW.cancellation_reason_id, ''), NEW.currency_code, 1,
        NEW.outcome IS NOT NULL, NEW.outcome IS 'SAVED', NEW.outcome IS 'LOST', NEW.cost, NEW.revenue_after
      WHERE true
    ON CONFLICT DO UPDATE SET shown = shown + 1, accepted = accepted + excluded.accepted, saved = saved + excluded.saved,
      lost = lost + excluded.lost, cost = cost + excluded.cost, revenue_after = revenue_after + excluded.revenue_after;
  INSERT INTO retention_days (account_seq, grouping, day, group_key, currency_code, shown, accepted, saved, lost, cost, revenue_after)
    SELECT NEW.account_seq, 'offer', NEW.opened_date, value ->> '$.id', NEW.currency_code, 1,
        NEW.accepted_offer_id IS value ->> '$.id',
        NEW.accepted_offer_id IS value ->> '$.id' AND NEW.outcome IS 'SAVED',
        NEW.accepted_offer_id IS value ->> '$.id' AND NEW.outcome IS 'LOST',
        iif(NEW.accepted_offer_id IS value ->> '$.id', NEW.cost, 0),
        iif(NEW.accepted_offer_id IS value ->> '$.id', NEW.revenue_after, 0)
      FROM json_each(NEW.offers) WHERE true
    ON CONFLICT DO UPDATE SET shown = shown + 1, accepted = accepted + excluded.accepted, saved = saved + excluded.saved,
      lost = lost + excluded.lost, cost = cost + excluded.cost, revenue_after = revenue_after + excluded.revenue_after;
END;

CREATE TRIGGER cancellation_cases_count_update AFTER UPDATE OF outcome, cost, revenue_after ON cancellation_cases
WHEN NEW.offers <> '[]' AND NEW.accepted_offer_id IS NOT NULL AND (
  OLD.outcome IS NOT NEW.outcome OR OLD.cost <> NEW.cost OR OLD.revenue_after <> NEW.revenue_after
) BEGIN
  INSERT INTO retention_days (account_seq, grouping, day, group_key, currency_code, shown, accepted, saved, lost, cost, revenue_after)
    SELECT NEW.account_seq, value ->> 0, NEW.opened_date, value ->> 1, NEW.currency_code, 0,
        (NEW.outcome IS NOT NULL) - (OLD.outcome IS NOT NULL), (NEW.outcome IS 'SAVED') - (OLD.outcome IS 'SAVED'),
        (NEW.outcome IS 'LOST') - (OLD.outcome IS 'LOST'), NEW.cost - OLD.cost, NEW.revenue_after - OLD.revenue_after
      FROM json_each(json_array(
        json_array('reason', COALESCE(NEW.cancellation_reason_id, '')), json_array('offer', NEW.accepted_offer_id)
      )) WHERE true
    ON CONFLICT DO UPDATE SET accepted = accepted + excluded.accepted, saved = saved + excluded.saved,
      lost = lost + excluded.lost, cost = cost + excluded.cost, revenue_after = revenue_after + excluded.revenue_after;
END;

-- Orders ----------------------------------------------------------------------------------------------------------------------

-- The orders of a store: made by billing a subscription, or told by the store. Money in minor units. The goods to be packed are
-- as they were when the order was placed: its lines (JSON, amounts in minor units), where it goes, and which of the deliveries of
-- one billing it is; NULL where the store alone knows. content_order_id: the order that has the same lines, address and instructions,
-- which are NULL here; an order whose content another one has never changes. is_prepaid is 1 for a delivery that an earlier order has paid for.
CREATE TABLE orders (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  revision INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('PENDING', 'PAID', 'PARTIALLY_REFUNDED', 'REFUNDED', 'CANCELLED')),
  fulfillment_status TEXT NOT NULL CHECK (fulfillment_status IN ('UNFULFILLED', 'PARTIALLY_FULFILLED', 'FULFILLED')),
  return_status TEXT,
  order_type TEXT NOT NULL CHECK (order_type IN ('SUBSCRIPTION', 'ONE_TIME', 'UPSELL')),
  is_checkout_order INTEGER NOT NULL CHECK (is_checkout_order IN (0, 1)),
  has_subscription INTEGER NOT NULL CHECK (has_subscription IN (0, 1)),
  store_order_id TEXT NOT NULL,
  store_order_number TEXT,
  external_order_id TEXT,
  external_order_number TEXT,
  external_source TEXT,
  profile_id TEXT,
  delivery_slot_id TEXT,
  currency_code TEXT NOT NULL,
  subtotal INTEGER NOT NULL,
  discount_amount INTEGER NOT NULL,
  total INTEGER NOT NULL,
  refunded_amount INTEGER NOT NULL,
  production_date TEXT,
  billing_date TEXT,
  delivery_date TEXT,
  order_created_at TEXT,
  tracking_number TEXT,
  tracking_company TEXT,
  tracking_url TEXT,
  search_text TEXT NOT NULL,
  search_tenant TEXT GENERATED ALWAYS AS (printf('%03x', account_seq & 4095)) VIRTUAL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  billing_attempt_id TEXT,
  content_order_id TEXT,
  lines TEXT CHECK (json_valid(lines)),
  delivery_address TEXT CHECK (json_valid(delivery_address)),
  delivery_instructions TEXT,
  is_prepaid INTEGER NOT NULL DEFAULT 0,
  prepaid_delivery INTEGER,
  prepaid_deliveries INTEGER,
  UNIQUE (account_seq, id),
  UNIQUE (account_seq, store_order_id),
  FOREIGN KEY (account_seq, profile_id) REFERENCES profiles (account_seq, id),
  FOREIGN KEY (account_seq, delivery_slot_id) REFERENCES delivery_slots (account_seq, id)
) STRICT;
-- The rows of each status and fulfillment are in order; a list merges those that it shows.
CREATE INDEX orders_by_status_and_time ON orders (account_seq, status, fulfillment_status, created_at);
CREATE INDEX orders_by_profile ON orders (account_seq, profile_id, created_at);
CREATE INDEX orders_by_delivery_date ON orders (account_seq, status, fulfillment_status, delivery_date);
CREATE INDEX orders_by_billing_date ON orders (account_seq, status, fulfillment_status, billing_date);
CREATE INDEX orders_by_production_date ON orders (account_seq, production_date) WHERE production_date IS NOT NULL;
CREATE INDEX orders_by_total ON orders (account_seq, status, fulfillment_status, total);
CREATE INDEX orders_from_checkout ON orders (account_seq, is_checkout_order, created_at) WHERE is_checkout_order = 1;
CREATE INDEX orders_without_subscription ON orders (account_seq, has_subscription, created_at) WHERE has_subscription = 0;
CREATE INDEX orders_by_tracking_number ON orders (account_seq, tracking_number) WHERE tracking_number IS NOT NULL;

-- An attempt has one order.
CREATE UNIQUE INDEX orders_of_attempt ON orders (account_seq, billing_attempt_id) WHERE billing_attempt_id IS NOT NULL;

CREATE TABLE order_subscriptions (
  account_seq INTEGER NOT NULL,
  subscription_id TEXT NOT NULL,
  order_id TEXT NOT NULL,
  PRIMARY KEY (account_seq, subscription_id, order_id),
  FOREIGN KEY (account_seq, subscription_id) REFERENCES subscriptions (account_seq, id),
  FOREIGN KEY (account_seq, order_id) REFERENCES orders (account_seq, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX order_subscriptions_by_order ON order_subscriptions (account_seq, order_id);

-- What is paid back of an order that is kept here: asked for here, or made at the store. It is PENDING until the store has said what
-- became of it; the row is the outbox, and its id the key at the store. is_own is 0 for one that was made at the store; created_by
-- is who asked for it, whom the entry of its payment names. Pending and succeeded ones together are never more than the order has cost.
-- created_at and updated_at are the account's time.
CREATE TABLE order_refunds (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL,
  order_id TEXT NOT NULL,
  is_own INTEGER NOT NULL CHECK (is_own IN (0, 1)),
  amount INTEGER NOT NULL CHECK (amount > 0),
  status TEXT NOT NULL CHECK (status IN ('PENDING', 'SUCCEEDED', 'FAILED')),
  reason TEXT,
  created_by TEXT,
  created_by_type TEXT NOT NULL DEFAULT 'system',
  store_reference TEXT,
  error_message TEXT,
  -- How often it was taken to be asked about.
  tries INTEGER NOT NULL,
  lease_until TEXT,
  next_action_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, id),
  FOREIGN KEY (account_seq, order_id) REFERENCES orders (account_seq, id)
) STRICT;
CREATE INDEX order_refunds_by_order ON order_refunds (account_seq, order_id, created_at, id);
CREATE UNIQUE INDEX order_refunds_one_reference ON order_refunds (account_seq, store_reference) WHERE store_reference IS NOT NULL;
CREATE INDEX order_refunds_to_do ON order_refunds (account_seq, next_action_at, id) WHERE next_action_at IS NOT NULL;

-- The disputes of charges that were made here, as the store last showed them. An inquiry takes no money. is_blocking: whether it keeps
-- the order's subscription from being billed (docs/stripe.md#disputes); subscriptions.disputed_at says that one of them does. opened_at
-- is the store's time, the other instants are the account's.
CREATE TABLE order_disputes (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL,
  order_id TEXT NOT NULL,
  subscription_id TEXT,
  store_dispute_id TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency_code TEXT NOT NULL CHECK (length(currency_code) = 3),
  status TEXT NOT NULL,
  is_inquiry INTEGER NOT NULL CHECK (is_inquiry IN (0, 1)),
  reason TEXT,
  is_blocking INTEGER NOT NULL CHECK (is_blocking IN (0, 1)),
  opened_at TEXT NOT NULL,
  closed_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, id),
  UNIQUE (account_seq, store_dispute_id),
  FOREIGN KEY (account_seq, order_id) REFERENCES orders (account_seq, id),
  FOREIGN KEY (account_seq, subscription_id) REFERENCES subscriptions (account_seq, id)
) STRICT;
CREATE INDEX order_disputes_by_order ON order_disputes (account_seq, order_id, opened_at, id);
CREATE INDEX order_disputes_open ON order_disputes (account_seq, id) WHERE closed_at IS NULL;
CREATE INDEX order_disputes_blocking ON order_disputes (account_seq, subscription_id) WHERE is_blocking = 1;

CREATE VIRTUAL TABLE order_search USING fts5 (
  search_tenant, search_text, content = 'orders', content_rowid = 'seq', tokenize = 'trigram case_sensitive 1'
);

CREATE TRIGGER orders_search_insert AFTER INSERT ON orders BEGIN
  INSERT INTO order_search (rowid, search_tenant, search_text) VALUES (NEW.seq, NEW.search_tenant, NEW.search_text);
END;

CREATE TRIGGER orders_search_update AFTER UPDATE OF search_text ON orders WHEN OLD.search_text <> NEW.search_text BEGIN
  INSERT INTO order_search (order_search, rowid, search_tenant, search_text) VALUES ('delete', OLD.seq, OLD.search_tenant, OLD.search_text);
  INSERT INTO order_search (rowid, search_tenant, search_text) VALUES (NEW.seq, NEW.search_tenant, NEW.search_text);
END;

CREATE TRIGGER orders_search_delete AFTER DELETE ON orders BEGIN
  INSERT INTO order_search (order_search, rowid, search_tenant, search_text)
    VALUES ('delete', OLD.seq, OLD.search_tenant, OLD.search_text);
END;

CREATE TABLE order_counts (
  account_seq INTEGER NOT NULL,
  status TEXT NOT NULL,
  fulfillment_status TEXT NOT NULL,
  is_checkout_order INTEGER NOT NULL,
  has_subscription INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_seq, status, fulfillment_status, is_checkout_order, has_subscription)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER orders_count_insert AFTER INSERT ON orders BEGIN
  INSERT INTO order_counts (account_seq, status, fulfillment_status, is_checkout_order, has_subscription, count)
    VALUES (NEW.account_seq, NEW.status, NEW.fulfillment_status, NEW.is_checkout_order, NEW.has_subscription, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER orders_count_update AFTER UPDATE OF status, fulfillment_status, is_checkout_order, has_subscription ON orders
WHEN OLD.status <> NEW.status OR OLD.fulfillment_status <> NEW.fulfillment_status
  OR OLD.is_checkout_order <> NEW.is_checkout_order OR OLD.has_subscription <> NEW.has_subscription BEGIN
  UPDATE order_counts SET count = count - 1
    WHERE account_seq = OLD.account_seq AND status = OLD.status AND fulfillment_status = OLD.fulfillment_status
      AND is_checkout_order = OLD.is_checkout_order AND has_subscription = OLD.has_subscription;
  INSERT INTO order_counts (account_seq, status, fulfillment_status, is_checkout_order, has_subscription, count)
    VALUES (NEW.account_seq, NEW.status, NEW.fulfillment_status, NEW.is_checkout_order, NEW.has_subscription, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;

-- An order is deleted where an import is undone; no delivery of it was counted.
CREATE TRIGGER orders_count_delete AFTER DELETE ON orders BEGIN
  UPDATE order_counts SET count = count - 1
    WHERE account_seq = OLD.account_seq AND status = OLD.status AND fulfillment_status = OLD.fulfillment_status
      AND is_checkout_order = OLD.is_checkout_order AND has_subscription = OLD.has_subscription;
END;

-- The days between the creation of a month's orders and each of their dates, at least and at most; NULL where none of them has it. They only
-- ever widen, so that few orders write. A list that is narrowed by one date and sorted by another begins where they say.
CREATE TABLE order_spans (
  account_seq INTEGER NOT NULL,
  month TEXT NOT NULL,
  delivery_from INTEGER,
  delivery_to INTEGER,
  billing_from INTEGER,
  billing_to INTEGER,
  production_from INTEGER,
  production_to INTEGER,
  PRIMARY KEY (account_seq, month)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER orders_span_insert AFTER INSERT ON orders BEGIN
  INSERT INTO order_spans (account_seq, month, delivery_from, delivery_to, billing_from, billing_to, production_from, production_to)
    SELECT NEW.account_seq, substr(NEW.created_at, 1, 7), delivery, delivery, billing, billing, production, production
    FROM (SELECT julianday(NEW.delivery_date) - julianday(substr(NEW.created_at, 1, 10)) AS delivery,
      julianday(NEW.billing_date) - julianday(substr(NEW.created_at, 1, 10)) AS billing,
      julianday(NEW.production_date) - julianday(substr(NEW.created_at, 1, 10)) AS production)
    WHERE COALESCE(delivery, billing, production) IS NOT NULL
    ON CONFLICT DO UPDATE SET
      delivery_from = MIN(COALESCE(delivery_from, excluded.delivery_from), COALESCE(excluded.delivery_from, delivery_from)),
      delivery_to = MAX(COALESCE(delivery_to, excluded.delivery_to), COALESCE(excluded.delivery_to, delivery_to)),
      billing_from = MIN(COALESCE(billing_from, excluded.billing_from), COALESCE(excluded.billing_from, billing_from)),
      billing_to = MAX(COALESCE(billing_to, excluded.billing_to), COALESCE(excluded.billing_to, billing_to)),
      production_from = MIN(COALESCE(production_from, excluded.production_from), COALESCE(excluded.production_from, production_from)),
      production_to = MAX(COALESCE(production_to, excluded.production_to), COALESCE(excluded.production_to, production_to))
    WHERE excluded.delivery_from < COALESCE(delivery_from, excluded.delivery_from + 1) OR excluded.delivery_to > COALESCE(delivery_to, excluded.delivery_to - 1)
      OR excluded.billing_from < COALESCE(billing_from, excluded.billing_from + 1) OR excluded.billing_to > COALESCE(billing_to, excluded.billing_to - 1)
      OR excluded.production_from < COALESCE(production_from, excluded.production_from + 1) OR excluded.production_to > COALESCE(production_to, excluded.production_to - 1);
END;

CREATE TRIGGER orders_span_update AFTER UPDATE OF created_at, delivery_date, billing_date, production_date ON orders
WHEN OLD.created_at <> NEW.created_at OR OLD.delivery_date IS NOT NEW.delivery_date
  OR OLD.billing_date IS NOT NEW.billing_date OR OLD.production_date IS NOT NEW.production_date BEGIN
  INSERT INTO order_spans (account_seq, month, delivery_from, delivery_to, billing_from, billing_to, production_from, production_to)
    SELECT NEW.account_seq, substr(NEW.created_at, 1, 7), delivery, delivery, billing, billing, production, production
    FROM (SELECT julianday(NEW.delivery_date) - julianday(substr(NEW.created_at, 1, 10)) AS delivery,
      julianday(NEW.billing_date) - julianday(substr(NEW.created_at, 1, 10)) AS billing,
      julianday(NEW.production_date) - julianday(substr(NEW.created_at, 1, 10)) AS production)
    WHERE COALESCE(delivery, billing, production) IS NOT NULL
    ON CONFLICT DO UPDATE SET
      delivery_from = MIN(COALESCE(delivery_from, excluded.delivery_from), COALESCE(excluded.delivery_from, delivery_from)),
      delivery_to = MAX(COALESCE(delivery_to, excluded.delivery_to), COALESCE(excluded.delivery_to, delivery_to)),
      billing_from = MIN(COALESCE(billing_from, excluded.billing_from), COALESCE(excluded.billing_from, billing_from)),
      billing_to = MAX(COALESCE(billing_to, excluded.billing_to), COALESCE(excluded.billing_to, billing_to)),
      production_from = MIN(COALESCE(production_from, excluded.production_from), COALESCE(excluded.production_from, production_from)),
      production_to = MAX(COALESCE(production_to, excluded.production_to), COALESCE(excluded.production_to, production_to))
    WHERE excluded.delivery_from < COALESCE(delivery_from, excluded.delivery_from + 1) OR excluded.delivery_to > COALESCE(delivery_to, excluded.delivery_to - 1)
      OR excluded.billing_from < COALESCE(billing_from, excluded.billing_from + 1) OR excluded.billing_to > COALESCE(billing_to, excluded.billing_to - 1)
      OR excluded.production_from < COALESCE(production_from, excluded.production_from + 1) OR excluded.production_to > COALESCE(production_to, excluded.production_to - 1);
END;

CREATE TRIGGER orders_delivery_insert AFTER INSERT ON orders
WHEN NEW.status <> 'CANCELLED' AND NEW.delivery_slot_id IS NOT NULL AND NEW.delivery_date IS NOT NULL BEGIN
  INSERT INTO delivery_counts (account_seq, delivery_slot_id, delivery_date, count)
    VALUES (NEW.account_seq, NEW.delivery_slot_id, NEW.delivery_date, 1)
    ON CONFLICT DO UPDATE SET count = count + 1, over_full_since = COALESCE(over_full_since, CASE WHEN count >= (
      SELECT max_deliveries_per_day FROM delivery_slots WHERE account_seq = NEW.account_seq AND id = NEW.delivery_slot_id
    ) THEN NEW.updated_at END);
END;

CREATE TRIGGER orders_delivery_update AFTER UPDATE OF status, delivery_slot_id, delivery_date ON orders
WHEN (OLD.delivery_slot_id IS NOT NULL OR NEW.delivery_slot_id IS NOT NULL)
  AND ((OLD.status = 'CANCELLED') <> (NEW.status = 'CANCELLED') OR OLD.delivery_slot_id IS NOT NEW.delivery_slot_id
    OR OLD.delivery_date IS NOT NEW.delivery_date) BEGIN
  UPDATE delivery_counts SET count = count - 1
    WHERE OLD.status <> 'CANCELLED' AND account_seq = OLD.account_seq
      AND delivery_slot_id = OLD.delivery_slot_id AND delivery_date = OLD.delivery_date;
  INSERT INTO delivery_counts (account_seq, delivery_slot_id, delivery_date, count)
    SELECT NEW.account_seq, NEW.delivery_slot_id, NEW.delivery_date, 1
      WHERE NEW.status <> 'CANCELLED' AND NEW.delivery_slot_id IS NOT NULL AND NEW.delivery_date IS NOT NULL
    ON CONFLICT DO UPDATE SET count = count + 1, over_full_since = COALESCE(over_full_since, CASE WHEN count >= (
      SELECT max_deliveries_per_day FROM delivery_slots WHERE account_seq = NEW.account_seq AND id = NEW.delivery_slot_id
    ) THEN NEW.updated_at END);
END;

-- The history, and the stream of events ---------------------------------------------------------------------------------------

-- The history of subscriptions, orders, profiles, the account and its keys. Every entry is an event: `type` is the event's
-- name, `sequence` its place in the account's stream, recorded_at when it was written, in real time, where that is not
-- created_at, which a test clock gives. An entry is stored in its place in the stream. Its id holds its time, so an entry is
-- found by its id in the index by time; other_id is the id where it holds another time. A row is written in the same batch as
-- the change it tells of, first: loggable_id is then a subquery that finds the record at the revision the change was decided
-- on, and NOT NULL refuses the whole batch if the record has moved. Nothing else fills a database as the history does, so what
-- other columns say is not stored: kept_id is the id, without its time where that is created_ms; own_action the action, NULL where it
-- is the type with another divider and empty where it is what stands behind that; and the ids of subscription and order are
-- those that the record has not.
CREATE TABLE activity_logs (
  kept_id TEXT NOT NULL,
  own_action TEXT,
  other_subscription_id TEXT,
  other_order_id TEXT,
  created_ms INTEGER NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  description TEXT,
  changes TEXT,
  metadata TEXT,
  actor_type TEXT,
  actor_name TEXT,
  loggable_type TEXT NOT NULL,
  loggable_id TEXT NOT NULL,
  profile_id TEXT,
  type TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  recorded_at TEXT,
  id TEXT GENERATED ALWAYS AS (
    IIF(length(kept_id) = 23, substr(printf('%012x', created_ms), 1, 8) || '-' || substr(printf('%012x', created_ms), 9), '') || kept_id
    ) VIRTUAL,
  action TEXT GENERATED ALWAYS AS (
    CASE WHEN own_action IS NULL THEN replace(type, '.', '_') WHEN own_action = '' THEN substr(type, instr(type, '.') + 1) ELSE own_action END
    ) VIRTUAL,
  subscription_id TEXT GENERATED ALWAYS AS (IIF(loggable_type = 'subscription', loggable_id, other_subscription_id)) VIRTUAL,
  order_id TEXT GENERATED ALWAYS AS (IIF(loggable_type = 'order', loggable_id, other_order_id)) VIRTUAL,
  created_at TEXT GENERATED ALWAYS AS (strftime('%Y-%m-%dT%H:%M:%fZ', created_ms / 1000.0, 'unixepoch')) VIRTUAL,
  other_id TEXT GENERATED ALWAYS AS (IIF(length(kept_id) = 23, NULL, kept_id)) VIRTUAL,
  PRIMARY KEY (account_seq, sequence)
) STRICT, WITHOUT ROWID;

-- The feed shows entries about subscriptions and orders. Its entries and the others have an index by time each: a page of the
-- feed never reads past what it does not show.
CREATE INDEX activity_logs_by_time ON activity_logs (account_seq, created_ms)
  WHERE loggable_type IN ('subscription', 'order');
CREATE INDEX activity_logs_unfed_by_time ON activity_logs (account_seq, created_ms)
  WHERE loggable_type NOT IN ('subscription', 'order');
CREATE UNIQUE INDEX activity_logs_by_other_id ON activity_logs (account_seq, other_id) WHERE other_id IS NOT NULL;
CREATE INDEX activity_logs_by_record ON activity_logs (account_seq, loggable_id, created_ms);
CREATE INDEX activity_logs_by_profile ON activity_logs (account_seq, profile_id, created_ms)
  WHERE loggable_type IN ('subscription', 'order');
CREATE INDEX activity_logs_by_type ON activity_logs (account_seq, type, sequence);
CREATE INDEX activity_logs_of_integrations ON activity_logs (account_seq, sequence) WHERE substr(type, 1, 12) = 'integration.';
CREATE INDEX activity_logs_of_integrations_by_time ON activity_logs (account_seq, created_ms)
  WHERE substr(type, 1, 12) = 'integration.';

-- What billing writes for each cycle is not in the index by action: there is some of it on any page.
CREATE INDEX activity_logs_by_action ON activity_logs (account_seq, action, created_ms)
  WHERE action NOT IN ('billing_started', 'billing_succeeded', 'order_placed', 'payment_reminder_due');

-- Nor are the system's and the API's entries in the index by actor, which are most of an account's history: only those of people.
CREATE INDEX activity_logs_by_actor ON activity_logs (account_seq, actor_type, created_ms) WHERE actor_type IN ('customer', 'admin');

-- What each customer has changed in the last hour is counted before they change more.
CREATE INDEX activity_logs_by_customer ON activity_logs (account_seq, profile_id, COALESCE(recorded_at, created_at))
  WHERE actor_type = 'customer';

-- The number that the next of an account's stream has to be above besides its last entry's: a restore may have undone some.
CREATE TABLE event_sequences (
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  last INTEGER NOT NULL,
  PRIMARY KEY (account_seq)
) STRICT, WITHOUT ROWID;

-- Entries that have their place in the stream are inserted into this view, which leaves out what other columns say.
CREATE VIEW placed_entries AS SELECT * FROM activity_logs;

CREATE TRIGGER placed_entries_insert INSTEAD OF INSERT ON placed_entries BEGIN
  INSERT INTO activity_logs (kept_id, account_seq, own_action, description, changes, metadata, actor_type, actor_name, loggable_type,
    loggable_id, other_subscription_id, other_order_id, profile_id, created_ms, type, sequence, recorded_at)
  SELECT IIF(substr(NEW.id, 1, 8) || substr(NEW.id, 10, 4) = printf('%012x', ms), substr(NEW.id, 14), NEW.id), NEW.account_seq,
    CASE NEW.action WHEN replace(NEW.type, '.', '_') THEN NULL WHEN substr(NEW.type, instr(NEW.type, '.') + 1) THEN ''
      ELSE NEW.action END,
    NEW.description, NEW.changes, NEW.metadata, NEW.actor_type, NEW.actor_name, NEW.loggable_type, NEW.loggable_id,
    NULLIF(NEW.subscription_id, NEW.loggable_id), NULLIF(NEW.order_id, NEW.loggable_id), NEW.profile_id, ms, NEW.type,
    NEW.sequence, NULLIF(NEW.recorded_at, NEW.created_at)
  FROM (SELECT unixepoch(substr(NEW.created_at, 1, 19)) * 1000 + substr(NEW.created_at, 21, 3) AS ms);
END;

-- New entries are inserted into this view, which gives them their place and makes their deliveries in the same batch: no event
-- is lost, and none is sent that was not committed. Writers have their turn one after the other, and a batch that fails takes
-- its numbers back, so the numbers grow in the order of commits. An entry that is inserted into the table was moved from
-- another database: it has its place, and was delivered there.
CREATE VIEW new_entries AS SELECT * FROM activity_logs;

CREATE TRIGGER new_entries_insert INSTEAD OF INSERT ON new_entries BEGIN
  INSERT INTO placed_entries (id, account_seq, action, description, changes, metadata, actor_type, actor_name, loggable_type,
    loggable_id, subscription_id, order_id, profile_id, created_at, type, sequence, recorded_at)
  VALUES (NEW.id, NEW.account_seq, NEW.action, NEW.description, NEW.changes, NEW.metadata, NEW.actor_type, NEW.actor_name,
    NEW.loggable_type, NEW.loggable_id, NEW.subscription_id, NEW.order_id, NEW.profile_id, NEW.created_at, NEW.type,
    1 + MAX(
      COALESCE((SELECT MAX(sequence) FROM activity_logs WHERE account_seq = NEW.account_seq), 0),
      COALESCE((SELECT last FROM event_sequences WHERE account_seq = NEW.account_seq), 0)),
    NEW.recorded_at);
  INSERT INTO event_deliveries (account_seq, event_id, endpoint_id, is_mail, event_type, sequence, status, attempt_count,
    next_attempt_at, created_at)
  SELECT NEW.account_seq, NEW.id, endpoint_id, is_mail, NEW.type,
    (SELECT MAX(sequence) FROM activity_logs WHERE account_seq = NEW.account_seq), 'PENDING', 0, moment, moment
  FROM (
    SELECT id AS endpoint_id, kind = 'mail' AS is_mail, COALESCE(NEW.recorded_at, NEW.created_at) AS moment
    FROM webhook_endpoints
    WHERE account_seq = NEW.account_seq AND is_enabled = 1 AND EXISTS (
      SELECT 1 FROM json_each(CASE WHEN NEW.actor_type = 'customer' THEN COALESCE(own_event_types, event_types) ELSE event_types END)
        AS wanted WHERE wanted.value IN ('*', NEW.type)
        OR (substr(wanted.value, -2) = '.*'
          AND substr(NEW.type, 1, length(wanted.value) - 1) = substr(wanted.value, 1, length(wanted.value) - 1)))
      AND (kind = 'http' OR (COALESCE(NEW.recorded_at, NEW.created_at) >= created_at
        AND NOT EXISTS (SELECT 1 FROM subscriptions AS held WHERE held.account_seq = NEW.account_seq
          AND held.id = NEW.subscription_id AND held.billing_blocked_reason = 'import_held')
        AND (NEW.type <> 'billing.failed' OR (NEW.metadata ->> 'dunning_episode_id' IS NOT NULL
          AND EXISTS (SELECT 1 FROM accounts WHERE seq = NEW.account_seq AND notify_every_retry = 1)))
        AND (NEW.type <> 'billing.waiting' OR NEW.metadata ->> 'error_code' = 'address_missing')))
  );
  INSERT INTO mails (account_seq, id, event_type, profile_id, sequence, status, attempt_count, resend_count, created_at)
  SELECT NEW.account_seq, NEW.id, NEW.type, NEW.profile_id, delivery.sequence, 'PENDING', 0, 0, delivery.created_at
  FROM webhook_endpoints AS endpoint INDEXED BY webhook_endpoints_mail CROSS JOIN event_deliveries AS delivery
  WHERE endpoint.account_seq = NEW.account_seq AND endpoint.kind = 'mail' AND endpoint.is_enabled = 1
    AND delivery.account_seq = NEW.account_seq AND delivery.event_id = NEW.id AND delivery.endpoint_id = endpoint.id;
END;

-- The feed's entries by UTC day, with those of each quarter of an hour beside them, as JSON such as {"13:45": 2}: the days of
-- every time zone are made of these. The stream is counted in blocks of 32 places, each by the first entry behind it; whoever asks
-- for a total counts the entries of the last block besides.
CREATE TABLE activity_counts (
  account_seq INTEGER NOT NULL,
  day TEXT NOT NULL,
  count INTEGER NOT NULL,
  quarters TEXT NOT NULL,
  PRIMARY KEY (account_seq, day)
) STRICT, WITHOUT ROWID;

-- The names that the two lists of distinct names show.
CREATE TABLE activity_names (
  account_seq INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('action', 'actor')),
  name TEXT NOT NULL,
  PRIMARY KEY (account_seq, kind, name)
) STRICT, WITHOUT ROWID;

-- An entry behind the last block counts that block. One that takes a place in a block that was counted, as those of another database
-- may, counts itself.
CREATE TRIGGER activity_logs_count AFTER INSERT ON activity_logs
WHEN NEW.sequence / 32 < (SELECT MAX(sequence) FROM activity_logs WHERE account_seq = NEW.account_seq) / 32
  OR NEW.sequence / 32 > (
    SELECT MAX(sequence) FROM activity_logs WHERE account_seq = NEW.account_seq AND sequence < NEW.sequence) / 32 BEGIN
  INSERT INTO activity_counts (account_seq, day, count, quarters) SELECT NEW.account_seq, day, SUM(entries), json_group_object(quarter, entries) FROM (
      SELECT substr(created_at, 1, 10) AS day, COUNT(*) AS entries,
        substr(created_at, 12, 3) || substr('00153045', substr(created_at, 15, 2) / 15 * 2 + 1, 2) AS quarter
      FROM activity_logs WHERE account_seq = NEW.account_seq AND loggable_type IN ('subscription', 'order')
        AND sequence BETWEEN IIF(
          NEW.sequence / 32 < (SELECT MAX(sequence) FROM activity_logs WHERE account_seq = NEW.account_seq) / 32, NEW.sequence,
          (SELECT MAX(sequence) FROM activity_logs WHERE account_seq = NEW.account_seq AND sequence < NEW.sequence) / 32 * 32)
        AND IIF(
          NEW.sequence / 32 < (SELECT MAX(sequence) FROM activity_logs WHERE account_seq = NEW.account_seq) / 32, NEW.sequence,
          NEW.sequence - 1)
      GROUP BY day, quarter)
    WHERE TRUE GROUP BY day
    ON CONFLICT DO UPDATE SET count = count + excluded.count, quarters = (
      SELECT json_group_object(quarter, entries) FROM (
        SELECT key AS quarter, SUM(value) AS entries FROM (
          SELECT key, value FROM json_each(activity_counts.quarters) UNION ALL SELECT key, value FROM json_each(excluded.quarters))
        GROUP BY key));
END;

CREATE TRIGGER activity_logs_names AFTER INSERT ON activity_logs
WHEN NEW.loggable_type IN ('subscription', 'order') BEGIN
  INSERT OR IGNORE INTO activity_names (account_seq, kind, name) SELECT NEW.account_seq, 'action', NEW.action
    WHERE substr(NEW.action, 1, 12) = 'integration_';
  INSERT OR IGNORE INTO activity_names (account_seq, kind, name) SELECT NEW.account_seq, 'actor', NEW.actor_name
    WHERE NEW.actor_type = 'admin' AND NEW.actor_name IS NOT NULL;
END;

-- Where events are sent -------------------------------------------------------------------------------------------------------

-- Where an account's events are sent. `event_types` is a JSON array of types, of kinds such as 'subscription.*', or of '*'.
-- Secrets are sealed as the credentials of stores are; the previous one signs along until previous_secret_until. `recovering`
-- is where the recovery of missed events has come to (JSON), NULL while there is none. Real time.
-- The endpoint of kind 'mail' writes to the account's customers: `mail` has its settings (JSON), `secret` the credentials of its
-- provider, and events that customers have caused themselves are asked for by `own_event_types`. Nobody is written to of what was
-- before it. reminders_applied_to: the id of the last subscription that changed rules of reminders were applied to, NULL once they
-- were applied to all. made_by_key: the key by which it was made, led elsewhere or given another secret last, whose revocation names
-- it; NULL where it was none. masked_to: the id of the last mail whose address was masked.
CREATE TABLE webhook_endpoints (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  kind TEXT NOT NULL DEFAULT 'http',
  url TEXT NOT NULL,
  description TEXT,
  event_types TEXT NOT NULL,
  payload TEXT NOT NULL,
  is_enabled INTEGER NOT NULL CHECK (is_enabled IN (0, 1)),
  disabled_reason TEXT,
  failing_since TEXT,
  last_success_at TEXT,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_secret_until TEXT,
  recovering TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT,
  own_event_types TEXT,
  mail TEXT CHECK ((mail IS NOT NULL) = (kind = 'mail')),
  reminders_applied_to TEXT,
  made_by_key TEXT,
  masked_to TEXT,
  PRIMARY KEY (account_seq, id)
) STRICT;
CREATE INDEX webhook_endpoints_living ON webhook_endpoints (account_seq, created_at, id)
  WHERE deleted_at IS NULL AND kind = 'http';
CREATE UNIQUE INDEX webhook_endpoints_mail ON webhook_endpoints (account_seq, kind) WHERE kind = 'mail';
CREATE INDEX webhook_endpoints_enabled ON webhook_endpoints (account_seq) WHERE is_enabled = 1;
CREATE INDEX webhook_endpoints_recovering ON webhook_endpoints (updated_at) WHERE recovering IS NOT NULL;
CREATE INDEX webhook_endpoints_failing ON webhook_endpoints (kind, failing_since) WHERE failing_since IS NOT NULL;
CREATE INDEX webhook_endpoints_applying ON webhook_endpoints (updated_at) WHERE reminders_applied_to IS NOT NULL;

-- One row for each event and each endpoint that asked for it: what is to be sent, and what came of it. next_attempt_at is set
-- while a delivery is PENDING; whoever sends it has leased it until lease_until. `sequence` is NULL for a test, whose event_id is
-- its own. Ids of events begin with their time, so that the rows of an account are in its order. is_mail: the endpoint is that of
-- mails, which has no list. Real time.
CREATE TABLE event_deliveries (
  account_seq INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  endpoint_id TEXT NOT NULL,
  is_mail INTEGER NOT NULL DEFAULT 0 CHECK (is_mail IN (0, 1)),
  event_type TEXT NOT NULL,
  sequence INTEGER,
  status TEXT NOT NULL CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED', 'CANCELLED')),
  attempt_count INTEGER NOT NULL,
  next_attempt_at TEXT CHECK ((next_attempt_at IS NOT NULL) = (status = 'PENDING')),
  lease_until TEXT,
  last_status INTEGER,
  last_error TEXT,
  last_duration_ms INTEGER,
  created_at TEXT NOT NULL,
  delivered_at TEXT,
  PRIMARY KEY (account_seq, event_id, endpoint_id),
  FOREIGN KEY (account_seq, endpoint_id) REFERENCES webhook_endpoints (account_seq, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_deliveries_of_endpoint ON event_deliveries (account_seq, endpoint_id, created_at, event_id) WHERE is_mail = 0;
CREATE INDEX event_deliveries_undelivered ON event_deliveries (account_seq, endpoint_id, status, created_at, event_id)
  WHERE is_mail = 0 AND (status = 'FAILED' OR status = 'CANCELLED');

-- Those that are to be sent, and apart from them those that somebody sends, until their lease ends: a lease writes one entry, and is
-- counted here.
CREATE INDEX event_deliveries_due ON event_deliveries (endpoint_id, lease_until IS NOT NULL, next_attempt_at, sequence)
  WHERE status = 'PENDING';

-- Deliveries of an endpoint by status: what its list says there is. Those that are to be sent, which are few as a rule, are counted when they are
-- asked for.
CREATE TABLE event_delivery_counts (
  account_seq INTEGER NOT NULL,
  endpoint_id TEXT NOT NULL,
  status TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_seq, endpoint_id, status)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER event_deliveries_insert AFTER INSERT ON event_deliveries
WHEN NEW.is_mail = 0 AND NEW.status <> 'PENDING' BEGIN
  INSERT INTO event_delivery_counts (account_seq, endpoint_id, status, count) VALUES (NEW.account_seq, NEW.endpoint_id, NEW.status, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER event_deliveries_status AFTER UPDATE OF status ON event_deliveries WHEN OLD.status <> NEW.status AND NEW.is_mail = 0 BEGIN
  UPDATE event_delivery_counts SET count = count - 1
    WHERE OLD.status <> 'PENDING' AND account_seq = OLD.account_seq AND endpoint_id = OLD.endpoint_id AND status = OLD.status;
  INSERT INTO event_delivery_counts (account_seq, endpoint_id, status, count) SELECT NEW.account_seq, NEW.endpoint_id, NEW.status, 1 WHERE NEW.status <> 'PENDING'
    ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER event_deliveries_delete AFTER DELETE ON event_deliveries WHEN OLD.is_mail = 0 AND OLD.status <> 'PENDING' BEGIN
  UPDATE event_delivery_counts SET count = count - 1
    WHERE account_seq = OLD.account_seq AND endpoint_id = OLD.endpoint_id AND status = OLD.status;
END;

-- The account's rules say how long before a charge customers are reminded, by how often they are billed: of several that match,
-- the longest. remind_days is NULL where none does, and the account's payment_reminder_days_before holds.
CREATE VIEW reminder_rules AS
  SELECT endpoint.account_seq, rule.value ->> 'interval' AS interval, rule.value ->> 'at_least' AS at_least,
    rule.value ->> 'days_before' AS days_before
  FROM webhook_endpoints AS endpoint CROSS JOIN json_each(endpoint.mail, '$.reminders') AS rule
  WHERE endpoint.kind = 'mail' AND endpoint.is_enabled = 1;

CREATE TRIGGER subscriptions_remind_insert AFTER INSERT ON subscriptions
WHEN EXISTS (SELECT 1 FROM reminder_rules
  WHERE account_seq = NEW.account_seq AND interval = NEW.billing_interval AND at_least <= NEW.billing_interval_count) BEGIN
  UPDATE subscriptions SET remind_days = (
    SELECT MAX(days_before) FROM reminder_rules
    WHERE account_seq = NEW.account_seq AND interval = NEW.billing_interval AND at_least <= NEW.billing_interval_count)
  WHERE seq = NEW.seq;
END;

-- A copy of a row has the days of its original, which may be another rule's: the second look of a move or an import brings them.
CREATE TRIGGER subscriptions_remind_update AFTER UPDATE OF billing_interval, billing_interval_count ON subscriptions
WHEN (NEW.billing_interval, NEW.billing_interval_count) <> (OLD.billing_interval, OLD.billing_interval_count)
  AND EXISTS (SELECT 1 FROM webhook_endpoints WHERE account_seq = NEW.account_seq AND kind = 'mail' AND is_enabled = 1) BEGIN
  UPDATE subscriptions SET remind_days = (
    SELECT MAX(days_before) FROM reminder_rules
    WHERE account_seq = NEW.account_seq AND interval = NEW.billing_interval AND at_least <= NEW.billing_interval_count)
  WHERE seq = NEW.seq;
END;

-- Mails to customers ----------------------------------------------------------------------------------------------------------

-- One row for each delivery of the account's mail endpoint, under its event's id: what the customer was written, and what came of it.
-- It outlives the delivery. Ids of events begin with their time, so that an account's mails are in its order; most were sent, and those that
-- wait are found by their delivery. `sequence` is its event's place in the account's
-- stream, where its subscription and order are; NULL of a test. `recipient` is whom it was sent to, masked after a month. `unsettled_at` is since when the
-- provider may have it without anybody knowing. Real time.
CREATE TABLE mails (
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  profile_id TEXT,
  sequence INTEGER,
  recipient TEXT,
  is_masked INTEGER NOT NULL DEFAULT 0 CHECK (is_masked IN (0, 1)),
  subject TEXT,
  status TEXT NOT NULL,
  suppressed_reason TEXT,
  last_error TEXT,
  provider TEXT,
  provider_id TEXT,
  attempt_count INTEGER NOT NULL,
  resend_count INTEGER NOT NULL,
  unsettled_at TEXT,
  sent_at TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mails_by_status ON mails (account_seq, status, id)
  WHERE status = 'BOUNCED' OR status = 'COMPLAINED' OR status = 'SUPPRESSED' OR status = 'FAILED';
CREATE INDEX mails_of_profile ON mails (account_seq, profile_id, id) WHERE profile_id IS NOT NULL;
-- A provider's ids are random: half of one finds it.
CREATE INDEX mails_by_provider_id ON mails (account_seq, substr(provider_id, 1, 18)) WHERE provider_id IS NOT NULL;
CREATE INDEX mails_tests ON mails (account_seq, created_at) WHERE event_type = 'mail.test';

-- The newest mails as the provider `log` has rendered them. Mails that sign somebody in are never here.
CREATE TABLE mail_contents (
  account_seq INTEGER NOT NULL,
  mail_id TEXT NOT NULL,
  html TEXT NOT NULL,
  text TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, mail_id)
) STRICT;
CREATE INDEX mail_contents_newest ON mail_contents (account_seq, created_at, mail_id);
CREATE INDEX mail_contents_by_age ON mail_contents (created_at);

-- The merchant's own words, in place of ours.
CREATE TABLE mail_templates (
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  kind TEXT NOT NULL,
  locale TEXT NOT NULL,
  subject TEXT NOT NULL,
  intro TEXT NOT NULL,
  closing TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, kind, locale)
) STRICT;

-- Billing ---------------------------------------------------------------------------------------------------------------------

-- One try to charge one cycle of one life (activation) of a subscription. `snapshot` is what is charged and ordered (JSON),
-- store_key the idempotency key at the store: derived, never random, a digest of the cycle and the number. The row is also the
-- outbox: next_action_at is when the sweep looks at it again, NULL once it is settled, and it is open until settled_at is set.
-- is_refused: the next attempt has its number and key again, because the store never got it; so has that after a withdrawn one.
-- open_since: since when nobody knows what came of it; NULL before it is sent, while it waits for its customer, since
-- challenged_at, and while the store says that it takes days. uncounted_claims do not count against it: it waited for one of
-- these, or the store took no requests.
-- is_switch: a switch of the payment method has started it. content_attempt_id: the attempt whose snapshot has the goods and amounts: itself,
-- or an earlier one that charged the same. An attempt is inserted as short as it stays: what it would lose later would leave gaps that
-- nothing fills. created_at, settled_at, open_since and challenged_at are the
-- account's time, the rest real time.
CREATE TABLE billing_attempts (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL,
  subscription_id TEXT NOT NULL,
  activation INTEGER NOT NULL,
  cycle INTEGER NOT NULL,
  attempt_number INTEGER NOT NULL CHECK (attempt_number > 0),
  origin TEXT NOT NULL CHECK (origin IN ('SHIP_NOW', 'RECURRING', 'DUNNING', 'RETRY')),
  status TEXT NOT NULL CHECK (
    status IN ('QUEUED', 'PROCESSING', 'ACTION_REQUIRED', 'REVIEW', 'SUCCEEDED', 'FAILED', 'CANCELLED')
  ),
  store_key TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount >= 0),
  currency_code TEXT NOT NULL,
  snapshot TEXT NOT NULL,
  content_attempt_id TEXT,
  request_hash TEXT,
  claims INTEGER NOT NULL,
  unanswered INTEGER NOT NULL,
  lease_until TEXT,
  next_action_at TEXT,
  requested_at TEXT NOT NULL,
  first_sent_at TEXT,
  last_sent_at TEXT,
  store_reference TEXT,
  next_action_url TEXT,
  error_code TEXT,
  error_message TEXT,
  order_id TEXT,
  settled_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  is_refused INTEGER NOT NULL DEFAULT 0 CHECK (is_refused IN (0, 1)),
  open_since TEXT,
  uncounted_claims INTEGER NOT NULL DEFAULT 0,
  challenged_at TEXT,
  is_switch INTEGER NOT NULL DEFAULT 0 CHECK (is_switch IN (0, 1)),
  noted_reference TEXT,
  UNIQUE (account_seq, id),
  FOREIGN KEY (account_seq, subscription_id) REFERENCES subscriptions (account_seq, id)
) STRICT;

-- At most one attempt is open, at most one of a cycle succeeds, at most one has a key. An attempt is written as it starts, is
-- claimed and is settled, so its indexes go by columns that change once.
CREATE UNIQUE INDEX billing_attempts_one_open ON billing_attempts (account_seq, subscription_id) WHERE settled_at IS NULL;
CREATE UNIQUE INDEX billing_attempts_one_success ON billing_attempts (account_seq, subscription_id, activation, cycle)
  WHERE status = 'SUCCEEDED';
CREATE UNIQUE INDEX billing_attempts_one_key ON billing_attempts (store_key) WHERE is_refused = 0;
CREATE INDEX billing_attempts_refused_by_key ON billing_attempts (account_seq, store_key) WHERE is_refused = 1;
CREATE INDEX billing_attempts_by_subscription ON billing_attempts (account_seq, subscription_id, created_at);

-- Those that wait for their message are found among the open ones, all others by their status.
CREATE INDEX billing_attempts_by_status ON billing_attempts (account_seq, status, created_at)
  WHERE status = 'PROCESSING' OR status = 'ACTION_REQUIRED' OR status = 'REVIEW' OR status = 'SUCCEEDED' OR status = 'FAILED'
    OR status = 'CANCELLED';

-- Nearly all are of the schedule: the others are found by their trigger.
CREATE INDEX billing_attempts_by_time ON billing_attempts (account_seq, created_at);
CREATE INDEX billing_attempts_by_origin ON billing_attempts (account_seq, origin, created_at)
  WHERE origin = 'SHIP_NOW' OR origin = 'DUNNING' OR origin = 'RETRY';
CREATE INDEX billing_attempts_to_do ON billing_attempts (account_seq, next_action_at, id) WHERE next_action_at IS NOT NULL;

-- Challenges that were given up, whose customers may confirm them yet: each later attempt at their cycle asks about them, and
-- so does every night about those of the last 30 days.
CREATE INDEX billing_attempts_expired ON billing_attempts (account_seq, subscription_id, activation, cycle)
  WHERE status = 'FAILED' AND error_code = 'authentication_expired';
CREATE INDEX billing_attempts_expired_by_time ON billing_attempts (account_seq, settled_at, id)
  WHERE status = 'FAILED' AND error_code = 'authentication_expired';

-- Settled attempts by status and trigger. The open ones, which are few, are counted when they are asked for.
CREATE TABLE billing_attempt_counts (
  account_seq INTEGER NOT NULL,
  status TEXT NOT NULL,
  origin TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_seq, status, origin)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER billing_attempts_count_insert AFTER INSERT ON billing_attempts WHEN NEW.settled_at IS NOT NULL BEGIN
  INSERT INTO billing_attempt_counts (account_seq, status, origin, count) VALUES (NEW.account_seq, NEW.status, NEW.origin, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER billing_attempts_count_update AFTER UPDATE OF status, settled_at ON billing_attempts
WHEN NEW.settled_at IS NOT NULL AND (OLD.settled_at IS NULL OR OLD.status <> NEW.status) BEGIN
  UPDATE billing_attempt_counts SET count = count - 1
    WHERE OLD.settled_at IS NOT NULL AND account_seq = OLD.account_seq AND status = OLD.status AND origin = OLD.origin;
  INSERT INTO billing_attempt_counts (account_seq, status, origin, count) VALUES (NEW.account_seq, NEW.status, NEW.origin, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;

-- The episode that follows a failed payment, until it is made, given up or ended. retry_days (JSON) count from retries_from: the first
-- failure, later by as long as billing had to wait for others since. due_at is when the next retry is made, or the wait for the
-- customer ends.
CREATE TABLE dunning_episodes (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL,
  subscription_id TEXT NOT NULL,
  cycle INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('OPEN', 'AWAITING_CUSTOMER', 'RECOVERED', 'EXHAUSTED', 'CLOSED')),
  attempt_count INTEGER NOT NULL,
  retry_days TEXT NOT NULL,
  due_at TEXT,
  last_error_code TEXT,
  last_error_message TEXT,
  opened_at TEXT NOT NULL,
  closed_at TEXT,
  retries_from TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (account_seq, id),
  FOREIGN KEY (account_seq, subscription_id) REFERENCES subscriptions (account_seq, id)
) STRICT;
CREATE UNIQUE INDEX dunning_episodes_one_open ON dunning_episodes (account_seq, subscription_id)
  WHERE status IN ('OPEN', 'AWAITING_CUSTOMER');
CREATE INDEX dunning_episodes_by_subscription ON dunning_episodes (account_seq, subscription_id, opened_at, id);
CREATE INDEX dunning_episodes_due ON dunning_episodes (account_seq, due_at, subscription_id) WHERE due_at IS NOT NULL;

-- The notice to a customer about an episode of dunning, once for each. A store sends another e-mail for each request, so that
-- one is marked (SENDING) before the store is asked, and never asked for again unless the store has refused it.
CREATE TABLE customer_notices (
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  dunning_episode_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('PENDING', 'SENDING', 'SENT', 'UNKNOWN', 'REFUSED')),
  -- When it is due. While it is SENDING: when its sender is given up. NULL once it is over.
  next_action_at TEXT,
  -- How often the store was asked.
  tries INTEGER NOT NULL DEFAULT 0,
  last_refusal TEXT,
  PRIMARY KEY (account_seq, dunning_episode_id)
) STRICT;
CREATE INDEX customer_notices_to_do ON customer_notices (account_seq, next_action_at, dunning_episode_id)
  WHERE next_action_at IS NOT NULL;

-- When an account's attempts are next compared with the charges of its store, since when charges are still to be compared, and since when
-- disputes are still to be looked at; and, of the same night, when its next forecast of goods is taken.
CREATE TABLE reconciliations (
  account_seq INTEGER NOT NULL PRIMARY KEY REFERENCES accounts (seq),
  next_at TEXT NOT NULL,
  since TEXT NOT NULL,
  disputes_since TEXT NOT NULL,
  next_forecast_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX reconciliations_next ON reconciliations (next_at, account_seq);
CREATE INDEX reconciliations_next_forecast ON reconciliations (next_forecast_at, account_seq);

CREATE TRIGGER accounts_reconciled AFTER INSERT ON accounts BEGIN
  INSERT INTO reconciliations (account_seq, next_at, since, disputes_since, next_forecast_at) VALUES (
    NEW.seq,
    strftime('%Y-%m-%dT%H:%M:%fZ', NEW.created_at, '+1 day'),
    NEW.created_at,
    NEW.created_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', NEW.created_at, '+1 day')
  );
END;

-- Jobs of the merchant -------------------------------------------------------------------------------------------------------

-- Work on many records that somebody, or the night, has asked for. Queue messages do it page by page under a lease. `input`, `progress` and
-- `summary` are JSON of its kind. scopes are those that its work needs, besides jobs:write. is_changing is 1 while it changes
-- subscriptions or is about to: one job of an account does. resumes_as is the status that a job which was paused or has failed goes back to.
-- made_by_key is the key by which it was last set to work, without which it stops; NULL where none was. tries are those at its page, that
-- which is under way included. next_action_at is when the sweep looks at it, NULL unless messages work on it. waiting_since is since when no
-- page came to an end, as its store or the database was out of reach. lease_until, waiting_since and prune_at are real time, the other
-- instants the account's.
CREATE TABLE jobs (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  revision INTEGER NOT NULL,
  kind TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('STAGING', 'CHECKING', 'READY', 'RUNNING', 'PAUSED', 'DONE', 'CANCELLED', 'UNDOING', 'UNDONE', 'FAILED')),
  input TEXT NOT NULL CHECK (json_valid(input)),
  progress TEXT NOT NULL CHECK (json_valid(progress)),
  summary TEXT NOT NULL CHECK (json_valid(summary)),
  total INTEGER NOT NULL,
  done INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0,
  undone INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  created_by TEXT,
  created_by_type TEXT NOT NULL DEFAULT 'system',
  made_by_key TEXT,
  scopes TEXT NOT NULL DEFAULT '',
  is_dry_run INTEGER NOT NULL DEFAULT 0,
  is_changing INTEGER NOT NULL DEFAULT 0,
  resumes_as TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  started_at TEXT,
  finished_at TEXT,
  lease_until TEXT,
  next_action_at TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  waiting_since TEXT,
  prune_at TEXT,
  PRIMARY KEY (account_seq, id)
) STRICT;
CREATE UNIQUE INDEX jobs_changing ON jobs (account_seq) WHERE is_changing = 1;
CREATE INDEX jobs_by_time ON jobs (account_seq, created_at, id);
CREATE INDEX jobs_of_forecasts ON jobs (account_seq, created_at, id) WHERE kind = 'FORECAST';
CREATE INDEX jobs_to_do ON jobs (account_seq, next_action_at, id) WHERE next_action_at IS NOT NULL;
CREATE INDEX jobs_to_prune ON jobs (prune_at) WHERE prune_at IS NOT NULL;

-- What a job has to do and has done, row by row: `key` names what the row is about, `record_id` the record that came of it. `input` and
-- `undo` are JSON of the job's kind: what the row asks for, and what is needed to take it back. A row's status is written in the batch of
-- what it changes.
CREATE TABLE job_rows (
  account_seq INTEGER NOT NULL,
  job_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  key TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('PENDING', 'OK', 'FAILED', 'SKIPPED', 'UNDONE')),
  record_id TEXT,
  errors TEXT NOT NULL CHECK (json_valid(errors)),
  summary TEXT NOT NULL CHECK (json_valid(summary)),
  input TEXT CHECK (json_valid(input)),
  undo TEXT CHECK (json_valid(undo)),
  PRIMARY KEY (account_seq, job_id, n),
  FOREIGN KEY (account_seq, job_id) REFERENCES jobs (account_seq, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX job_rows_of_record ON job_rows (account_seq, record_id) WHERE record_id IS NOT NULL;

-- A job counts its rows, and a bulk job adds their totals in the account's currency, with each row: so what was done before a job was
-- cancelled is in it. No currency has more than four decimals.
CREATE TRIGGER job_rows_counted AFTER UPDATE OF status ON job_rows WHEN NEW.status <> OLD.status
BEGIN
  UPDATE jobs SET
    done = done + (NEW.status = 'OK') - (OLD.status = 'OK'),
    failed = failed + (NEW.status = 'FAILED') - (OLD.status = 'FAILED'),
    skipped = skipped + (NEW.status = 'SKIPPED') - (OLD.status = 'SKIPPED'),
    undone = undone + (NEW.status = 'UNDONE') - (OLD.status = 'UNDONE'),
    summary = CASE
      WHEN OLD.status = 'PENDING' AND NEW.status = 'OK' AND NEW.summary ->> 'total_before' IS NOT NULL
        AND NEW.summary ->> 'currency_code' IS NULL
      THEN json_set(summary,
        '$.total_before', ROUND((summary ->> 'total_before') + (NEW.summary ->> 'total_before'), 4),
        '$.total_after', ROUND((summary ->> 'total_after') + (NEW.summary ->> 'total_after'), 4))
      ELSE summary END
  WHERE account_seq = NEW.account_seq AND id = NEW.job_id;
END;

-- A row of a job that has changed a subscription names the entry of that, which can be undone for as long as the row is kept.
CREATE TRIGGER job_rows_images AFTER DELETE ON job_rows WHEN OLD.undo IS NOT NULL BEGIN
  DELETE FROM undo_images WHERE account_seq = OLD.account_seq AND subscription_id = OLD.record_id AND entry_id = OLD.undo ->> 'entry_id';
END;

-- The goods of a page of subscriptions, as a forecast has found them: `cells` (JSON) counts them by all three dates. They go once a later
-- forecast of the same days is done.
CREATE TABLE forecast_pages (
  account_seq INTEGER NOT NULL,
  job_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  cells TEXT NOT NULL CHECK (json_valid(cells)),
  PRIMARY KEY (account_seq, job_id, n),
  FOREIGN KEY (account_seq, job_id) REFERENCES jobs (account_seq, id) ON DELETE CASCADE
) STRICT;

-- Files that are moved in, part by part: how many rows each part has, and its rows as text by field, one for each line of a subscription.
-- `ref` names the subscription, `customer` the customer's e-mail address, or their id at the store after a colon. They go 30 days after the end
-- of their job, and those of a customer when that customer is erased.
CREATE TABLE import_parts (
  account_seq INTEGER NOT NULL,
  job_id TEXT NOT NULL,
  part INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  PRIMARY KEY (account_seq, job_id, part),
  FOREIGN KEY (account_seq, job_id) REFERENCES jobs (account_seq, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE import_lines (
  account_seq INTEGER NOT NULL,
  job_id TEXT NOT NULL,
  part INTEGER NOT NULL,
  n INTEGER NOT NULL,
  ref TEXT NOT NULL,
  customer TEXT,
  line TEXT NOT NULL CHECK (json_valid(line)),
  PRIMARY KEY (account_seq, job_id, part, n),
  FOREIGN KEY (account_seq, job_id) REFERENCES jobs (account_seq, id) ON DELETE CASCADE
) STRICT;
CREATE INDEX import_lines_by_ref ON import_lines (account_seq, job_id, ref, part, n);
CREATE INDEX import_lines_by_customer ON import_lines (account_seq, customer) WHERE customer IS NOT NULL;

-- What was moved in under the name that its source has for it, so that nothing is moved in twice: written with the record itself.
-- `is_held` while a subscription waits for its release. They outlive their job.
CREATE TABLE import_refs (
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  source TEXT NOT NULL,
  kind TEXT NOT NULL,
  ref TEXT NOT NULL,
  record_id TEXT NOT NULL,
  job_id TEXT NOT NULL,
  is_held INTEGER NOT NULL CHECK (is_held IN (0, 1)),
  PRIMARY KEY (account_seq, source, kind, ref)
) STRICT;
CREATE INDEX import_refs_by_record ON import_refs (account_seq, record_id);
CREATE INDEX import_refs_held ON import_refs (account_seq, job_id, ref) WHERE is_held = 1;

-- Payment methods that a payment provider keeps, and that the store makes for an import, once for each customer and reference: the
-- mutation has no key of ours. known_ids are those that the customer had before it was asked; until claimed_until nobody else
-- asks. store_payment_method_id is NULL until the store has answered.
CREATE TABLE remote_payment_methods (
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  store_customer_id TEXT NOT NULL,
  reference TEXT NOT NULL,
  job_id TEXT NOT NULL,
  known_ids TEXT NOT NULL,
  requested_at TEXT NOT NULL,
  claimed_until TEXT NOT NULL,
  store_payment_method_id TEXT,
  PRIMARY KEY (account_seq, store_customer_id, reference)
) STRICT;
CREATE INDEX remote_payment_methods_by_job ON remote_payment_methods (account_seq, job_id);

-- Contracts and plans at a store ----------------------------------------------------------------------------------------------

-- Subscriptions whose contract lives at a store by itself, and when the store is to be told next; NULL where it agrees.
-- Triggers keep it, so that no change of a subscription can be forgotten. agreed_method is the payment method, by the store's
-- id, that contract and subscription had when they last agreed: another one at the store was chosen there; a change here clears
-- it, and goes first. former_method: that which a change here replaced at method_changed_at; a late request of ours may still
-- put it into the contract. renewed_since: since when a contract that was cancelled is made anew instead of
-- ending its subscription: the app had been uninstalled, as a store may cancel an app's contracts then, or a cancellation was undone.
CREATE TABLE contract_syncs (
  account_seq INTEGER NOT NULL,
  subscription_id TEXT NOT NULL,
  next_action_at TEXT,
  -- Tries since the store last agreed.
  tries INTEGER NOT NULL DEFAULT 0,
  -- Counts the changes here and at the store, so that one that comes during a sync is not taken for synced.
  version INTEGER NOT NULL DEFAULT 1,
  -- How the contract stood when the store last agreed: whoever has changed it since is told by it.
  agreed_status TEXT CHECK (agreed_status IN ('ACTIVE', 'PAUSED', 'CANCELLED', 'EXPIRED', 'FAILED')),
  -- Till when a request that was given up may still arrive.
  silent_until TEXT,
  silent_status TEXT CHECK (silent_status IN ('ACTIVE', 'PAUSED', 'CANCELLED', 'EXPIRED', 'FAILED')),
  agreed_method TEXT,
  former_method TEXT,
  method_changed_at TEXT,
  renewed_since TEXT,
  PRIMARY KEY (account_seq, subscription_id),
  FOREIGN KEY (account_seq, subscription_id) REFERENCES subscriptions (account_seq, id)
) STRICT;
CREATE INDEX contract_syncs_to_do ON contract_syncs (account_seq, next_action_at, subscription_id)
  WHERE next_action_at IS NOT NULL;

CREATE TRIGGER contract_syncs_insert AFTER INSERT ON subscriptions
WHEN NEW.billing_blocked_reason IS NOT 'import_held' AND EXISTS (SELECT 1 FROM accounts WHERE seq = NEW.account_seq AND store = 'shopify') BEGIN
  INSERT INTO contract_syncs (account_seq, subscription_id, next_action_at)
  VALUES (NEW.account_seq, NEW.id, NEW.created_at);
END;

CREATE TRIGGER contract_syncs_update AFTER UPDATE OF revision ON subscriptions
WHEN NEW.billing_blocked_reason IS NOT 'import_held' AND EXISTS (SELECT 1 FROM accounts WHERE seq = NEW.account_seq AND store = 'shopify') BEGIN
  INSERT INTO contract_syncs (account_seq, subscription_id, next_action_at)
  VALUES (NEW.account_seq, NEW.id, NEW.updated_at)
  ON CONFLICT (account_seq, subscription_id)
  DO UPDATE SET next_action_at = excluded.next_action_at, tries = 0, version = version + 1;
END;

CREATE TRIGGER contract_syncs_payment_method AFTER UPDATE OF payment_method_id ON subscriptions
WHEN NEW.payment_method_id IS NOT OLD.payment_method_id BEGIN
  UPDATE contract_syncs SET agreed_method = NULL, method_changed_at = NEW.updated_at, former_method = (
    SELECT store_payment_method_id FROM payment_methods WHERE account_seq = OLD.account_seq AND id = OLD.payment_method_id
  ) WHERE account_seq = NEW.account_seq AND subscription_id = NEW.id;
END;

-- Plans that a store is to have, and when it is to be sent them next; NULL where it agrees. A row outlives its plan until the
-- store has deleted it, too. Triggers keep it, so that no change of a plan can be forgotten; plans of the store's own groups
-- have none.
CREATE TABLE selling_plan_syncs (
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  selling_plan_id TEXT NOT NULL,
  next_action_at TEXT,
  -- Tries since the store last agreed.
  tries INTEGER NOT NULL DEFAULT 0,
  -- Counts the changes, so that one that comes while the store is asked is not taken for sent.
  version INTEGER NOT NULL DEFAULT 1,
  lease_until TEXT,
  -- The store's group that was made for the plan.
  store_group_id TEXT,
  PRIMARY KEY (account_seq, selling_plan_id)
) STRICT;
CREATE INDEX selling_plan_syncs_to_do ON selling_plan_syncs (account_seq, next_action_at, selling_plan_id)
  WHERE next_action_at IS NOT NULL;
CREATE INDEX selling_plan_syncs_by_group ON selling_plan_syncs (account_seq, store_group_id) WHERE store_group_id IS NOT NULL;

CREATE TRIGGER selling_plan_syncs_insert AFTER INSERT ON selling_plans
WHEN NEW.store_group_id IS NULL AND EXISTS (SELECT 1 FROM accounts WHERE seq = NEW.account_seq AND store = 'shopify') BEGIN
  INSERT INTO selling_plan_syncs (account_seq, selling_plan_id, next_action_at)
  VALUES (NEW.account_seq, NEW.id, NEW.updated_at)
  ON CONFLICT (account_seq, selling_plan_id)
    DO UPDATE SET next_action_at = excluded.next_action_at, tries = 0, version = version + 1;
END;

CREATE TRIGGER selling_plan_syncs_update AFTER UPDATE OF name, billing_interval, billing_interval_count, delivery_interval,
  delivery_interval_count, discount_type, discount_value, min_cycles, max_cycles, is_active, product_ids ON selling_plans
WHEN NEW.store_group_id IS NULL AND EXISTS (SELECT 1 FROM accounts WHERE seq = NEW.account_seq AND store = 'shopify') BEGIN
  INSERT INTO selling_plan_syncs (account_seq, selling_plan_id, next_action_at)
  VALUES (NEW.account_seq, NEW.id, NEW.updated_at)
  ON CONFLICT (account_seq, selling_plan_id)
    DO UPDATE SET next_action_at = excluded.next_action_at, tries = 0, version = version + 1;
END;

CREATE TRIGGER selling_plan_syncs_delete AFTER DELETE ON selling_plans BEGIN
  UPDATE selling_plan_syncs SET next_action_at = OLD.updated_at, tries = 0, version = version + 1
  WHERE account_seq = OLD.account_seq AND selling_plan_id = OLD.id;
END;

-- Contracts of a store's checkout that cannot become subscriptions, with why, until they can or have ended.
CREATE TABLE unsupported_contracts (
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  store_contract_id INTEGER NOT NULL,
  reason TEXT NOT NULL,
  message TEXT NOT NULL,
  currency_code TEXT NOT NULL,
  store_customer_id TEXT,
  first_seen_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, store_contract_id)
) STRICT;
CREATE INDEX unsupported_contracts_by_time ON unsupported_contracts (account_seq, first_seen_at, store_contract_id);
CREATE INDEX unsupported_contracts_to_look_at ON unsupported_contracts (account_seq, last_seen_at);
CREATE INDEX unsupported_contracts_by_customer ON unsupported_contracts (account_seq, store_customer_id)
  WHERE store_customer_id IS NOT NULL;

-- Shopify ---------------------------------------------------------------------------------------------------------------------

-- How an account reaches its Shopify store: an access token or client credentials, sealed (AES-GCM) with a key that the
-- database does not hold. shop is the domain that they were verified for; it is sealed in with them, and they are sent nowhere
-- else. disconnected_at: since when the store takes them no more, as the app was uninstalled; they stay, for what it signs with
-- them. refreshing_until is the lease of whoever refreshes a token that expires, by real time. webhooks_uri is where its webhooks
-- are sent, next_action_at when these and its contracts are looked at next. contracts_from: contracts made since are still to be looked
-- at, all if it is NULL. contracts_pass: where such a look has got to (JSON), NULL between two.
CREATE TABLE shopify_connections (
  account_seq INTEGER NOT NULL PRIMARY KEY REFERENCES accounts (seq),
  credentials TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  disconnected_at TEXT,
  shop TEXT NOT NULL CHECK (
    shop GLOB '[a-z0-9]*' AND substr(shop, -14) = '.myshopify.com'
    AND substr(shop, 1, length(shop) - 14) NOT GLOB '*[^a-z0-9-]*'
  ),
  refreshing_until TEXT,
  webhooks_uri TEXT,
  next_action_at TEXT,
  contracts_from TEXT,
  contracts_pass TEXT CHECK (json_valid(contracts_pass))
) STRICT;
CREATE UNIQUE INDEX shopify_connections_by_shop ON shopify_connections (shop);
CREATE INDEX shopify_connections_to_do ON shopify_connections (account_seq, next_action_at) WHERE next_action_at IS NOT NULL;

-- Installations that were finished, so that none is finished twice; until they would have expired.
CREATE TABLE shopify_installations (
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  nonce TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, nonce)
) STRICT;

-- A contract is made, changed and charged by one at a time. `delivery` is what was last told of where it goes, hashed: a store
-- spells addresses in its own way.
CREATE TABLE shopify_contracts (
  account_seq INTEGER NOT NULL,
  subscription_id TEXT NOT NULL,
  lease_until TEXT NOT NULL,
  delivery TEXT,
  PRIMARY KEY (account_seq, subscription_id)
) STRICT;

-- The events that a store has told of, once for each id of its deliveries: which record has changed, never how. `subject` names that
-- record by the store's id or by our key. next_action_at is when the sweep looks at it again, NULL once it is done. Real time.
CREATE TABLE webhook_deliveries (
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  webhook_id TEXT NOT NULL,
  topic TEXT NOT NULL,
  subject TEXT NOT NULL,
  tries INTEGER NOT NULL,
  next_action_at TEXT,
  received_at TEXT NOT NULL,
  done_at TEXT,
  PRIMARY KEY (account_seq, webhook_id)
) STRICT;
CREATE INDEX webhook_deliveries_done ON webhook_deliveries (done_at) WHERE done_at IS NOT NULL;
CREATE INDEX webhook_deliveries_to_do ON webhook_deliveries (account_seq, next_action_at, webhook_id)
  WHERE next_action_at IS NOT NULL;

-- Stores that keep no contracts -----------------------------------------------------------------------------------------------

-- The contracts at stores that keep none, numbered account by account, so that an account keeps them in another database and at
-- another such store.
CREATE TABLE own_contracts (
  contract_id INTEGER,
  account_seq INTEGER NOT NULL,
  subscription_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, subscription_id),
  UNIQUE (account_seq, contract_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER own_contracts_number AFTER INSERT ON own_contracts WHEN NEW.contract_id IS NULL BEGIN
  UPDATE own_contracts
    SET contract_id = (SELECT COALESCE(MAX(contract_id), 0) + 1 FROM own_contracts WHERE account_seq = NEW.account_seq)
    WHERE account_seq = NEW.account_seq AND subscription_id = NEW.subscription_id;
END;

-- The orders of charges at stores that number none. A store that numbers its charges itself has none here.
CREATE TABLE order_numbers (
  order_number INTEGER,
  account_seq INTEGER NOT NULL,
  store_order_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, store_order_id),
  UNIQUE (account_seq, order_number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER order_numbers_next AFTER INSERT ON order_numbers WHEN NEW.order_number IS NULL BEGIN
  UPDATE order_numbers
    SET order_number = (SELECT COALESCE(MAX(order_number), 0) + 1 FROM order_numbers WHERE account_seq = NEW.account_seq)
    WHERE account_seq = NEW.account_seq AND store_order_id = NEW.store_order_id;
END;

-- Stripe ----------------------------------------------------------------------------------------------------------------------

-- How an account reaches Stripe: its keys and the secrets of its webhooks, sealed as Shopify's credentials are, for the account at
-- Stripe that they were verified for. webhook_endpoint is the one that was made there. checked_at: when the key was last tried.
-- disconnected_at: since when Stripe refuses it. next_action_at: when its webhooks are looked at next.
CREATE TABLE stripe_connections (
  account_seq INTEGER NOT NULL PRIMARY KEY REFERENCES accounts (seq),
  credentials TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  store_account TEXT NOT NULL,
  webhook_endpoint TEXT,
  checked_at TEXT NOT NULL,
  disconnected_at TEXT,
  next_action_at TEXT
) STRICT;
CREATE INDEX stripe_connections_to_do ON stripe_connections (account_seq, next_action_at) WHERE next_action_at IS NOT NULL;

-- The sandbox store -----------------------------------------------------------------------------------------------------------

-- Its ledger: what it was asked to charge, once for each key, and what came of it. A LOST request never reached it.
CREATE TABLE sandbox_charges (
  charge_number INTEGER,
  account_seq INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('LOST', 'PENDING', 'ACTION_REQUIRED', 'SUCCEEDED', 'DECLINED')),
  amount INTEGER NOT NULL,
  currency_code TEXT NOT NULL,
  error_code TEXT,
  created_at TEXT NOT NULL,
  subscription_id TEXT,
  -- The test method that decides what refunds of the charge lead to; NULL for any other.
  refunded_as TEXT,
  PRIMARY KEY (account_seq, idempotency_key),
  UNIQUE (account_seq, charge_number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER sandbox_charges_number AFTER INSERT ON sandbox_charges WHEN NEW.charge_number IS NULL BEGIN
  UPDATE sandbox_charges
    SET charge_number = (SELECT COALESCE(MAX(charge_number), 0) + 1 FROM sandbox_charges WHERE account_seq = NEW.account_seq)
    WHERE account_seq = NEW.account_seq AND idempotency_key = NEW.idempotency_key;
END;

-- What it has paid back of a charge, once for each key; a refund that was made at the store itself has none. A LOST request never
-- reached it.
CREATE TABLE sandbox_refunds (
  account_seq INTEGER NOT NULL,
  refund_number INTEGER NOT NULL,
  charge_number INTEGER NOT NULL,
  idempotency_key TEXT,
  state TEXT NOT NULL CHECK (state IN ('LOST', 'PENDING', 'SUCCEEDED', 'FAILED')),
  amount INTEGER NOT NULL,
  reason TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, charge_number, refund_number),
  UNIQUE (account_seq, refund_number),
  UNIQUE (account_seq, idempotency_key)
) STRICT, WITHOUT ROWID;

-- The customer portal ---------------------------------------------------------------------------------------------------------

-- One-time links into the customer portal, and the sessions that they become. Of both only a hash is kept. made_by_key: the key that
-- made the link, which both end with; NULL for one that the customer asked for. made_by: the member of staff who made it, on_behalf_of: for
-- whom they act; nobody does yet. Keys are in the directory, so that nothing refers to them.
-- Real time.
CREATE TABLE portal_links (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  profile_id TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  return_url TEXT,
  locale TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  made_by_key TEXT,
  made_by TEXT,
  on_behalf_of TEXT,
  session_id TEXT,
  PRIMARY KEY (account_seq, id),
  FOREIGN KEY (account_seq, profile_id) REFERENCES profiles (account_seq, id)
) STRICT;
CREATE UNIQUE INDEX portal_links_by_token ON portal_links (account_seq, token_hash);
CREATE INDEX portal_links_of_profile ON portal_links (account_seq, profile_id);
CREATE INDEX portal_links_by_expiry ON portal_links (expires_at);

CREATE TABLE portal_sessions (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  profile_id TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  return_url TEXT,
  locale TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  made_by_key TEXT,
  made_by TEXT,
  on_behalf_of TEXT,
  PRIMARY KEY (account_seq, id),
  FOREIGN KEY (account_seq, profile_id) REFERENCES profiles (account_seq, id)
) STRICT;
CREATE UNIQUE INDEX portal_sessions_by_token ON portal_sessions (account_seq, token_hash);
CREATE INDEX portal_sessions_of_profile ON portal_sessions (account_seq, profile_id);
CREATE INDEX portal_sessions_by_expiry ON portal_sessions (expires_at);

-- The deployment itself ---------------------------------------------------------------------------------------------------------

-- The last tick of cron, in one row: when it was, how many milliseconds it took, the parts that failed (JSON), and what it has seen (JSON).
-- Before the first one it is when this schema was made. Real time.
CREATE TABLE heartbeats (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  at TEXT NOT NULL,
  ms INTEGER NOT NULL,
  failed TEXT NOT NULL,
  figures TEXT NOT NULL
) STRICT;
INSERT INTO heartbeats (id, at, ms, failed, figures) VALUES (1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 0, '[]', '{}');

-- The messages that were given up, for a month: what they asked for, and for whom. Real time.
CREATE TABLE dead_letters (
  message_id TEXT PRIMARY KEY,
  at TEXT NOT NULL,
  type TEXT,
  account_id TEXT
) STRICT;
CREATE INDEX dead_letters_by_time ON dead_letters (at);

-- The oldest version of the code that may still work with this schema. A migration that takes something away raises it.
CREATE TABLE min_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version TEXT NOT NULL
) STRICT;
INSERT INTO min_version (id, version) VALUES (1, '0.1.0');

-- The values that rows get bit by bit after a migration, by cron. after: the key of the last row that was looked at (JSON). required_by: the
-- migration that builds on it, which is refused until all rows have theirs.
CREATE TABLE backfills (
  name TEXT PRIMARY KEY,
  after TEXT CHECK (json_valid(after)),
  done_at TEXT,
  required_by TEXT,
  CONSTRAINT backfill_is_done CHECK (required_by IS NULL OR done_at IS NOT NULL)
) STRICT;

-- A database without accounts has no rows that lack anything.
CREATE TRIGGER backfills_of_nothing AFTER INSERT ON backfills WHEN NOT EXISTS (SELECT 1 FROM accounts) BEGIN
  UPDATE backfills SET done_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE name = NEW.name;
END;
