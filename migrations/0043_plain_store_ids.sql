-- The ids of a store's records have one form, the plain one: 5001, no longer gid://shopify/Order/5001. Ids in any other form stay as
-- they are, and the history keeps what it said. The search index follows by its triggers.
UPDATE profiles SET
  search_other = CASE WHEN substr(search_other, -length(store_customer_id)) = lower(store_customer_id)
    THEN substr(search_other, 1, length(search_other) - length(store_customer_id))
      || replace(store_customer_id, 'gid://shopify/Customer/', '')
    ELSE search_other END,
  store_customer_id = replace(store_customer_id, 'gid://shopify/Customer/', '')
WHERE store_customer_id GLOB 'gid://shopify/Customer/[0-9]*' AND substr(store_customer_id, 24) NOT GLOB '*[^0-9]*';

UPDATE OR IGNORE payment_methods
SET store_payment_method_id = replace(store_payment_method_id, 'gid://shopify/CustomerPaymentMethod/', '')
WHERE store_payment_method_id GLOB 'gid://shopify/CustomerPaymentMethod/[A-Za-z0-9_-]*'
  AND substr(store_payment_method_id, 37) NOT GLOB '*[^A-Za-z0-9_-]*';

UPDATE OR IGNORE orders SET
  search_text = CASE WHEN substr(search_text, 1, length(store_order_id)) = lower(store_order_id)
    THEN replace(store_order_id, 'gid://shopify/Order/', '') || substr(search_text, length(store_order_id) + 1)
    ELSE search_text END,
  store_order_id = replace(store_order_id, 'gid://shopify/Order/', '')
WHERE store_order_id GLOB 'gid://shopify/Order/[0-9]*' AND substr(store_order_id, 21) NOT GLOB '*[^0-9]*';

UPDATE subscriptions SET store_origin_order_id = replace(store_origin_order_id, 'gid://shopify/Order/', '')
WHERE store_origin_order_id GLOB 'gid://shopify/Order/[0-9]*' AND substr(store_origin_order_id, 21) NOT GLOB '*[^0-9]*';

-- No text in JSON can look like these members: its quotes are escaped.
UPDATE subscriptions SET lines = replace(replace(replace(lines,
  '"store_product_id":"gid://shopify/Product/', '"store_product_id":"'),
  '"store_variant_id":"gid://shopify/ProductVariant/', '"store_variant_id":"'),
  '"selling_plan_id":"gid://shopify/SellingPlan/', '"selling_plan_id":"')
WHERE lines LIKE '%"gid://shopify/%';

-- A plan that was known by both forms is known by the plain one.
DELETE FROM selling_plans
WHERE id GLOB 'gid://shopify/SellingPlan/[0-9]*' AND substr(id, 27) NOT GLOB '*[^0-9]*'
  AND EXISTS (SELECT 1 FROM selling_plans AS plain WHERE plain.account_id = selling_plans.account_id
    AND plain.id = replace(selling_plans.id, 'gid://shopify/SellingPlan/', ''));
UPDATE selling_plans SET id = replace(id, 'gid://shopify/SellingPlan/', '')
WHERE id GLOB 'gid://shopify/SellingPlan/[0-9]*' AND substr(id, 27) NOT GLOB '*[^0-9]*';
UPDATE OR IGNORE selling_plan_syncs SET selling_plan_id = replace(selling_plan_id, 'gid://shopify/SellingPlan/', '')
WHERE selling_plan_id GLOB 'gid://shopify/SellingPlan/[0-9]*' AND substr(selling_plan_id, 27) NOT GLOB '*[^0-9]*';
UPDATE selling_plans SET product_ids = replace(product_ids, '"gid://shopify/Product/', '"')
WHERE product_ids LIKE '%"gid://shopify/Product/%';
