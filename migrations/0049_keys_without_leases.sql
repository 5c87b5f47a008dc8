-- A key is claimed by the commit of its request, so nothing has to be freed after a time. COMMITTED: its change is made, its
-- answer not yet kept; DONE: answered, `body` is replayed. A key that an earlier version has CLAIMED is taken over, which keeps
-- that request from committing.
ALTER TABLE idempotency_keys DROP COLUMN lease_until;
