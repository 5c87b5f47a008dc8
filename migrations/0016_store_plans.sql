-- The group that the store sells the plan in, where it was told by the store.
ALTER TABLE selling_plans ADD COLUMN store_group_id TEXT;
CREATE INDEX selling_plans_by_group ON selling_plans (account_id, store_group_id) WHERE store_group_id IS NOT NULL;

-- Payment methods are looked up by the store's id alone, whosever they are.
CREATE INDEX payment_methods_by_store_id ON payment_methods (account_id, store_payment_method_id);
