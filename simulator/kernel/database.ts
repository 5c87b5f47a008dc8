import type { Db } from "../../src/base/db/port.ts";

/**
 * A database with the project's migrations. `mark` and `rewind` exist where it can go back to an earlier point, `hasChanged`
 * where it knows whether any row has since it was asked last, `changes` where it knows how many have ever.
 */
export type Database = Db & {
  mark?: () => void;
  rewind?: () => void;
  hasChanged?: () => boolean;
  changes?: () => number;
  /** Called in the turn of a batch that has written, where it is an object's storage. */
  afterWrite?: () => void;
};
