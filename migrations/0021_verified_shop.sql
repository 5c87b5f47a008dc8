-- The myshopify.com domain that an account's credentials were verified for. It is sealed in with them, and they are sent
-- nowhere else. Credentials that were stored before have none: the account's shop may have been changed since they were
-- verified, so they are not used, and the account counts as disconnected until it is connected again.
ALTER TABLE shopify_connections ADD COLUMN shop TEXT CHECK (
  shop GLOB '[a-z0-9]*' AND substr(shop, -14) = '.myshopify.com'
  AND substr(shop, 1, length(shop) - 14) NOT GLOB '*[^a-z0-9-]*'
);
CREATE UNIQUE INDEX shopify_connections_by_shop ON shopify_connections (shop);
UPDATE shopify_connections SET disconnected_at = COALESCE(disconnected_at, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
