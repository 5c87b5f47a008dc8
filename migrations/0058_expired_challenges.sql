-- Challenges that were given up, whose customers may confirm them yet: each later attempt at their cycle asks about them, and so does every
-- night about those of the last 30 days.
CREATE INDEX billing_attempts_expired ON billing_attempts (account_id, subscription_id, activation, cycle)
  WHERE status = 'FAILED' AND error_code = 'authentication_expired';
CREATE INDEX billing_attempts_expired_by_time ON billing_attempts (account_id, settled_at, id)
  WHERE status = 'FAILED' AND error_code = 'authentication_expired';
