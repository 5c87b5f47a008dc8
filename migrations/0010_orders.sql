-- What a store has sold: made by billing a subscription, or told by the store. Money in minor units.
CREATE TABLE orders (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  revision INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('PENDING', 'PAID', 'PARTIALLY_REFUNDED', 'REFUNDED', 'CANCELLED')),
  fulfillment_status TEXT NOT NULL CHECK (fulfillment_status IN ('UNFULFILLED', 'PARTIALLY_FULFILLED', 'FULFILLED')),
  order_type TEXT NOT NULL CHECK (order_type IN ('SUBSCRIPTION', 'ONE_TIME', 'UPSELL')),
  is_checkout_order INTEGER NOT NULL CHECK (is_checkout_order IN (0, 1)),
  has_subscription INTEGER NOT NULL CHECK (has_subscription IN (0, 1)),
  store_order_id TEXT NOT NULL,
  store_order_number TEXT,
  external_order_id TEXT,
  external_order_number TEXT,
  external_source TEXT,
  profile_id TEXT,
  delivery_slot_id TEXT,
  currency_code TEXT NOT NULL,
  subtotal INTEGER NOT NULL,
  discount_amount INTEGER NOT NULL,
  total INTEGER NOT NULL,
  refunded_amount INTEGER NOT NULL,
  production_date TEXT,
  billing_date TEXT,
  delivery_date TEXT,
  order_created_at TEXT,
  tracking_number TEXT,
  tracking_company TEXT,
  tracking_url TEXT,
  search_text TEXT NOT NULL,
  search_tenant TEXT GENERATED ALWAYS AS (substr(account_id, -3)) VIRTUAL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (account_id, id),
  UNIQUE (account_id, store_order_id),
  FOREIGN KEY (account_id, profile_id) REFERENCES profiles (account_id, id),
  FOREIGN KEY (account_id, delivery_slot_id) REFERENCES delivery_slots (account_id, id)
) STRICT;
-- One index for each sort, and for each filter that must stay cheap in the default sort.
CREATE INDEX orders_by_time ON orders (account_id, created_at, id);
CREATE INDEX orders_by_delivery_date ON orders (account_id, delivery_date, id);
CREATE INDEX orders_by_billing_date ON orders (account_id, billing_date, id);
CREATE INDEX orders_by_total ON orders (account_id, total, id);
CREATE INDEX orders_by_status ON orders (account_id, status, id);
CREATE INDEX orders_by_status_and_time ON orders (account_id, status, created_at, id);
CREATE INDEX orders_by_fulfillment ON orders (account_id, fulfillment_status, created_at, id);
CREATE INDEX orders_by_profile ON orders (account_id, profile_id, created_at, id);
CREATE INDEX orders_by_tracking_number ON orders (account_id, tracking_number) WHERE tracking_number IS NOT NULL;

CREATE TABLE order_subscriptions (
  account_id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  order_id TEXT NOT NULL,
  PRIMARY KEY (account_id, subscription_id, order_id),
  FOREIGN KEY (account_id, subscription_id) REFERENCES subscriptions (account_id, id),
  FOREIGN KEY (account_id, order_id) REFERENCES orders (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX order_subscriptions_by_order ON order_subscriptions (account_id, order_id);

CREATE VIRTUAL TABLE order_search USING fts5 (
  search_tenant, search_text, content = 'orders', content_rowid = 'seq', tokenize = 'trigram case_sensitive 1'
);
CREATE TRIGGER orders_search_insert AFTER INSERT ON orders BEGIN
  INSERT INTO order_search (rowid, search_tenant, search_text) VALUES (NEW.seq, NEW.search_tenant, NEW.search_text);
END;
CREATE TRIGGER orders_search_update AFTER UPDATE OF search_text ON orders WHEN OLD.search_text <> NEW.search_text BEGIN
  INSERT INTO order_search (order_search, rowid, search_tenant, search_text) VALUES ('delete', OLD.seq, OLD.search_tenant, OLD.search_text);
  INSERT INTO order_search (rowid, search_tenant, search_text) VALUES (NEW.seq, NEW.search_tenant, NEW.search_text);
END;

CREATE TABLE order_counts (
  account_id TEXT NOT NULL,
  status TEXT NOT NULL,
  fulfillment_status TEXT NOT NULL,
  is_checkout_order INTEGER NOT NULL,
  has_subscription INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (account_id, status, fulfillment_status, is_checkout_order, has_subscription)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER orders_count_insert AFTER INSERT ON orders BEGIN
  INSERT INTO order_counts
    VALUES (NEW.account_id, NEW.status, NEW.fulfillment_status, NEW.is_checkout_order, NEW.has_subscription, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER orders_count_update AFTER UPDATE OF status, fulfillment_status, is_checkout_order, has_subscription ON orders
WHEN OLD.status <> NEW.status OR OLD.fulfillment_status <> NEW.fulfillment_status
  OR OLD.is_checkout_order <> NEW.is_checkout_order OR OLD.has_subscription <> NEW.has_subscription BEGIN
  UPDATE order_counts SET count = count - 1
    WHERE account_id = OLD.account_id AND status = OLD.status AND fulfillment_status = OLD.fulfillment_status
      AND is_checkout_order = OLD.is_checkout_order AND has_subscription = OLD.has_subscription;
  INSERT INTO order_counts
    VALUES (NEW.account_id, NEW.status, NEW.fulfillment_status, NEW.is_checkout_order, NEW.has_subscription, 1)
    ON CONFLICT DO UPDATE SET count = count + 1;
END;
