import { journalSuite } from "../journal/suite.ts";
import { storageSuite } from "../storage/suite.ts";
import { libsqlFile } from "./libsql-file.ts";

const open = async () => (await libsqlFile()).db;

storageSuite("libSQL", open);
journalSuite("libSQL", open);
