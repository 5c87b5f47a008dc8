-- Plans that are created here are made at the store too. `product_ids` (JSON) are the products that a plan is offered for, NULL
-- where the store alone decides that; `store_plan_id` is the plan's id at the store; `store_sync_error` is the last refusal.
ALTER TABLE selling_plans ADD COLUMN product_ids TEXT;
ALTER TABLE selling_plans ADD COLUMN store_plan_id TEXT;
ALTER TABLE selling_plans ADD COLUMN store_sync_error TEXT;
CREATE INDEX selling_plans_by_store_plan ON selling_plans (account_id, store_plan_id) WHERE store_plan_id IS NOT NULL;

-- Plans that a store is to have, and when it is to be sent them next; NULL where it agrees. A row outlives its plan until the
-- store has deleted it too. Triggers keep it, so that no change of a plan can be forgotten; plans of the store's own groups have none.
CREATE TABLE selling_plan_syncs (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  selling_plan_id TEXT NOT NULL,
  next_action_at TEXT,
  -- Tries since the store last agreed.
  tries INTEGER NOT NULL DEFAULT 0,
  -- Counts the changes, so that one that comes while the store is asked is not taken for sent.
  version INTEGER NOT NULL DEFAULT 1,
  leased_until TEXT,
  -- The store's group that was made for the plan.
  store_group_id TEXT,
  PRIMARY KEY (account_id, selling_plan_id)
) STRICT;
CREATE INDEX selling_plan_syncs_to_do ON selling_plan_syncs (account_id, next_action_at, selling_plan_id)
  WHERE next_action_at IS NOT NULL;
CREATE INDEX selling_plan_syncs_by_group ON selling_plan_syncs (account_id, store_group_id) WHERE store_group_id IS NOT NULL;

CREATE TRIGGER selling_plan_syncs_insert AFTER INSERT ON selling_plans
WHEN NEW.store_group_id IS NULL AND EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND store <> 'sandbox') BEGIN
  INSERT INTO selling_plan_syncs (account_id, selling_plan_id, next_action_at)
  VALUES (NEW.account_id, NEW.id, NEW.updated_at)
  ON CONFLICT (account_id, selling_plan_id)
    DO UPDATE SET next_action_at = excluded.next_action_at, tries = 0, version = version + 1;
END;

CREATE TRIGGER selling_plan_syncs_update AFTER UPDATE OF name, billing_interval, billing_interval_count, delivery_interval,
  delivery_interval_count, discount_type, discount_value, min_cycles, max_cycles, is_active, product_ids ON selling_plans
WHEN NEW.store_group_id IS NULL AND EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND store <> 'sandbox') BEGIN
  INSERT INTO selling_plan_syncs (account_id, selling_plan_id, next_action_at)
  VALUES (NEW.account_id, NEW.id, NEW.updated_at)
  ON CONFLICT (account_id, selling_plan_id)
    DO UPDATE SET next_action_at = excluded.next_action_at, tries = 0, version = version + 1;
END;

CREATE TRIGGER selling_plan_syncs_delete AFTER DELETE ON selling_plans BEGIN
  UPDATE selling_plan_syncs SET next_action_at = OLD.updated_at, tries = 0, version = version + 1
  WHERE account_id = OLD.account_id AND selling_plan_id = OLD.id;
END;

-- Plans of accounts that are connected already.
INSERT INTO selling_plan_syncs (account_id, selling_plan_id, next_action_at)
  SELECT account_id, id, updated_at FROM selling_plans WHERE store_group_id IS NULL
    AND EXISTS (SELECT 1 FROM accounts WHERE accounts.id = selling_plans.account_id AND store <> 'sandbox');
