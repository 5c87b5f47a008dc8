-- Whether a switch of the payment method has started the attempt. Such attempts count against the hourly limit of what people cause.
ALTER TABLE billing_attempts ADD COLUMN is_switch INTEGER NOT NULL DEFAULT 0 CHECK (is_switch IN (0, 1));
