/** The database of the tests that run within Node keeps the port's promises, and refuses what D1 refuses. */
import { testDb } from "../support/database.ts";
import { limitsSuite } from "./limits.ts";
import { storageSuite } from "./suite.ts";

storageSuite("SQLite within Node", async () => testDb());
limitsSuite("SQLite within Node", testDb);
