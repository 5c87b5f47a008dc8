-- What the store last said of a profile's customer, hashed field by field (JSON): what it says anew is a change there, and is followed.
ALTER TABLE profiles ADD COLUMN store_seen TEXT;
