/** No change is written without its entry and no entry without its change, on D1. */
import { testDb } from "../../support/database.ts";
import { journalSuite } from "./suite.ts";

journalSuite("D1", async () => testDb());
