import { testDb } from "../support/database.ts";
import { storageSuite } from "./suite.ts";

storageSuite("D1", async () => testDb());
