-- Bounds of staff with the role SUPPORT ---------------------------------------------------------------------------------------

-- The share of a subscription's goods, in percent, that they may take off at most, and the most that they may have paid back of one order, in
-- minor units; NULL for nothing.
ALTER TABLE accounts ADD COLUMN support_max_discount_percent INTEGER NOT NULL DEFAULT 20 CHECK (support_max_discount_percent BETWEEN 0 AND 100);
ALTER TABLE accounts ADD COLUMN support_max_refund INTEGER CHECK (support_max_refund >= 0);
