/** A libSQL database keeps the promises of the storage port and of the journal, as a file and as a server. */
import { afterAll } from "vitest";
import { journalSuite } from "../kit/journal/suite.ts";
import { libsqlFile } from "../support/libsql-file.ts";
import { openLibsqlServer } from "../support/libsql-server.ts";
import { storageSuite } from "./suite.ts";

async function openFile() {
  return (await libsqlFile()).db;
}

storageSuite("libSQL in a file", openFile);
journalSuite("libSQL in a file", openFile);

const servers: Awaited<ReturnType<typeof openLibsqlServer>>[] = [];

async function openServed() {
  const server = await openLibsqlServer();
  servers.push(server);
  return server.db;
}
afterAll(async () => {
  for (const server of servers) await server.close();
});

storageSuite("a libSQL server", openServed);
journalSuite("a libSQL server", openServed);
