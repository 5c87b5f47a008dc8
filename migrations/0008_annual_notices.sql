-- For a mail endpoint whose kind annual_notice is on: the day whose anniversaries are recorded next, and the last one of it that is.
ALTER TABLE webhook_endpoints ADD COLUMN annual_notice_on TEXT;
ALTER TABLE webhook_endpoints ADD COLUMN annual_notice_after TEXT CHECK (json_valid(annual_notice_after));
