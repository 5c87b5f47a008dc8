import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { readAccounts } from "../../src/base/accounts/queries.ts";
import { d1Db } from "../../src/base/db/client.ts";
import { commit } from "../../src/base/db/commit.ts";
import { demoId } from "../../src/base/demo.ts";
import { openD1 } from "../../src/host/d1.ts";
import { openBeside } from "../../src/host/data.ts";
import { exportAccount } from "../account/export.ts";
import { accountPart } from "../seed/account.ts";
import { cancellationPart } from "../seed/cancellation.ts";
import { cataloguePart } from "../seed/catalogue.ts";
import { deliveryPart } from "../seed/delivery.ts";
import { mailPart } from "../seed/mail.ts";
import { plansPart } from "../seed/plans.ts";
import { reasonsPart } from "../seed/reasons.ts";
import { recordBatches } from "../seed/records.ts";

/** The key by which the file is signed: a test knows it, and no deployment has it. */
export const keyOfFile = Buffer.alloc(32, 7).toString("base64");

/** Writes what `account -- export` writes of a small account at this version, which every later one has to read. */
export async function writeAccountFile(file: string): Promise<void> {
  const data = mkdtempSync(`${tmpdir()}/perennial-release-`);
  const sqlite = openBeside(data, () => {});
  const db = d1Db(openD1(sqlite));
  const amounts = { profiles: 6, subscriptions: 6, orders: 12 };
  const extent = { amounts, after: { profiles: 0, subscriptions: 0, orders: 0 }, nextNumber: 1001 };
  const now = new Date();
  for (const part of [accountPart, reasonsPart, deliveryPart, plansPart, cataloguePart, cancellationPart])
    await commit({ db }, await part(now));
  await commit({ db }, [...recordBatches(extent, now)].flat());
  await commit({ db }, await mailPart(now));
  const [account] = await readAccounts(db, [demoId("account", 1)]);
  rmSync(file, { force: true });
  await exportAccount({ db, account: account! }, { file, keys: keyOfFile });
  sqlite.close();
  rmSync(data, { recursive: true });
}
