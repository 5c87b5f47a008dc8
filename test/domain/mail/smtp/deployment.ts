// The whole Worker on libSQL, in a process of its own, since its runtime trusts the certificate of the tests' mail servers. Has as many
// accounts as are asked for, and ends with the process that has started it.
import { randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";
import { createAccount } from "../../../../src/base/accounts/actions.ts";
import { startLibsqlWorker } from "../../../support/libsql-worker.ts";

const [count] = process.argv.slice(2);
const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
const deployment = await startLibsqlWorker({
  JWT_PRIVATE_JWK: JSON.stringify(await exportJWK(privateKey)),
  STORE_CREDENTIALS_KEY: randomBytes(32).toString("base64"),
});
process.once("disconnect", () => void deployment.close());

const keys: string[] = [];
for (let index = 0; index < Number(count); index++) {
  const terms = { shop: `shop-${index}.example`, name: "Größe & Co", timezone: "UTC", currency: "USD" };
  keys.push((await createAccount(deployment.server.db, terms, new Date().toISOString())).text);
}
process.send?.({ origin: deployment.origin, keys });
