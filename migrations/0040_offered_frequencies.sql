-- What customers may choose among, where the merchant lists no frequencies: those of the active plans.
CREATE INDEX selling_plans_offered ON selling_plans (account_id, is_active, billing_interval, billing_interval_count);
