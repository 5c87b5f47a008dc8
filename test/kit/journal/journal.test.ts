import { testDb } from "../../support/database.ts";
import { journalSuite } from "./suite.ts";

journalSuite("D1", async () => testDb());
