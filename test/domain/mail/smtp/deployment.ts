// The whole Worker, in a process of its own, since its runtime trusts the certificate of the tests' mail servers. Has as many accounts as
// are asked for, and ends with the process that has started it.
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { exportJWK, generateKeyPair } from "jose";
import { migrationTexts } from "../../../../scripts/migrations.ts";
import { fileOf, openFile } from "../../../../scripts/storage/local.ts";
import { createAccount } from "../../../../src/base/accounts/actions.ts";
import { startLocalWorker } from "../../../support/local-worker.ts";

const [count] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "perennial-mailing-"));
const keys = await makeAccounts(Number(count));
const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
const deployment = await startLocalWorker({
  variables: {
    JWT_PRIVATE_JWK: JSON.stringify(await exportJWK(privateKey)),
    STORE_CREDENTIALS_KEY: randomBytes(32).toString("base64"),
  },
  folder,
});
process.once("disconnect", () => void end());
process.send?.({ origin: deployment.origin, keys });

/** Makes the database in the folder where the runtime keeps its data. Returns a key of each account. */
async function makeAccounts(accounts: number): Promise<string[]> {
  const path = fileOf("00000000-0000-0000-0000-000000000000", `${folder}/d1/`);
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  for (const migration of migrationTexts()) database.exec(migration);
  database.close();
  const db = openFile(path);
  const made: string[] = [];
  for (let index = 0; index < accounts; index++) {
    const terms = { shop: `shop-${index}.example`, name: "Größe & Co", timezone: "UTC", currency: "USD" };
    made.push((await createAccount(db, terms, new Date().toISOString())).text);
  }
  db.close();
  return made;
}

async function end(): Promise<void> {
  await deployment.close();
  rmSync(folder, { recursive: true });
}
