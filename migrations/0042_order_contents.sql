-- What is to be packed, as it was when the order was placed: its lines (JSON, amounts in minor units), where it goes, and which of the
-- deliveries of one billing it is. NULL where the store alone knows: orders that were not placed here.
ALTER TABLE orders ADD COLUMN lines TEXT CHECK (json_valid(lines));
ALTER TABLE orders ADD COLUMN delivery_address TEXT CHECK (json_valid(delivery_address));
ALTER TABLE orders ADD COLUMN delivery_instructions TEXT;
-- 1 for a delivery that an earlier order has paid for.
ALTER TABLE orders ADD COLUMN is_prepaid INTEGER NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN prepaid_delivery INTEGER;
ALTER TABLE orders ADD COLUMN prepaid_deliveries INTEGER;
UPDATE orders SET is_prepaid = 1 WHERE billing_attempt_id IS NULL AND store_order_id LIKE 'prepaid-%';
