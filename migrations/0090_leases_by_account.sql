-- The leases of an account are counted, over all its endpoints.
DROP INDEX event_deliveries_leased;

CREATE INDEX event_deliveries_leased ON event_deliveries (account_id, leased_until, endpoint_id) WHERE leased_until IS NOT NULL;
