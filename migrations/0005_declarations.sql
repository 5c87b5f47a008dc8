-- Declarations ----------------------------------------------------------------------------------------------------------------

-- What somebody has declared on the pages of leaving, without signing in: that a contract ends, or is withdrawn from. `email_folded` and
-- `number_folded` are what is compared; `wants_on` is the day from which on they want to leave, NULL for as soon as possible. What belongs to it is found by
-- a job, which next_action_at waits for: matched_subscription_ids is JSON, carried_out says which change the job has made (JSON; NULL for none).
-- received_at, created_at and updated_at are the account's time; recorded_at, next_action_at, lease_until and prune_at real time.
CREATE TABLE declarations (
  id TEXT NOT NULL,
  account_seq INTEGER NOT NULL REFERENCES accounts (seq),
  revision INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('cancellation', 'withdrawal')),
  status TEXT NOT NULL CHECK (status IN ('TO_DO', 'CARRIED_OUT', 'ANSWERED', 'TAKEN_BACK')),
  email TEXT NOT NULL,
  email_folded TEXT NOT NULL,
  name TEXT,
  number TEXT,
  number_folded TEXT NOT NULL,
  wants_on TEXT,
  is_for_cause INTEGER NOT NULL CHECK (is_for_cause IN (0, 1)),
  reason TEXT,
  locale TEXT NOT NULL CHECK (locale IN ('en', 'de', 'fr', 'es')),
  received_at TEXT NOT NULL,
  recorded_at TEXT NOT NULL,
  matched_subscription_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(matched_subscription_ids)),
  profile_id TEXT,
  effective_on TEXT,
  carried_out TEXT CHECK (json_valid(carried_out)),
  note TEXT,
  next_action_at TEXT,
  tries INTEGER NOT NULL,
  lease_until TEXT,
  prune_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, id)
) STRICT;
CREATE INDEX declarations_by_time ON declarations (account_seq, created_at, id);
CREATE INDEX declarations_by_status ON declarations (account_seq, status, created_at, id);
CREATE INDEX declarations_by_email ON declarations (account_seq, email_folded, recorded_at);
CREATE INDEX declarations_of_profile ON declarations (account_seq, profile_id) WHERE profile_id IS NOT NULL;
CREATE INDEX declarations_to_do ON declarations (account_seq, next_action_at, id) WHERE next_action_at IS NOT NULL;
CREATE INDEX declarations_to_prune ON declarations (prune_at);

-- The visits of the pages of leaving, by the HMAC of the address that they come from: of the last hour, to bound them. Real time.
CREATE TABLE declaration_visits (
  account_seq INTEGER NOT NULL,
  address_hmac TEXT NOT NULL,
  visit_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (account_seq, address_hmac, visit_id)
) STRICT;
CREATE INDEX declaration_visits_by_age ON declaration_visits (created_at);

-- Mail endpoints keep the types of events that they want.
INSERT INTO backfills (name) VALUES ('declaration_mails');
