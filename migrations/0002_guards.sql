-- What a batch asserts of the state it was decided on: `INSERT INTO guards (ok) SELECT 0 WHERE <not so>` fails it.
CREATE TABLE guards (ok INTEGER NOT NULL, CONSTRAINT guard CHECK (ok = 1)) STRICT;
