import { ConstraintError, commit } from "../../src/base/db/commit.ts";
import type { Db, Statement } from "../../src/base/db/port.ts";
import { raw, rows } from "../../src/base/db/statement.ts";
import { accountPart } from "./account.ts";
import { billingPart } from "./billing.ts";
import { cancellationPart } from "./cancellation.ts";
import { cataloguePart } from "./catalogue.ts";
import { contentsPart } from "./contents.ts";
import { deliveryPart } from "./delivery.ts";
import { mailPart } from "./mail.ts";
import type { Part } from "./part.ts";
import { plansPart } from "./plans.ts";
import { reasonsPart } from "./reasons.ts";
import { demoExtent, recordBatches } from "./records.ts";
import { refundsPart } from "./refunds.ts";
import { staffPart } from "./staff.ts";

/** Seeds the parts that this database does not have yet, and returns their names. Later changes by a user stay. */
export async function seed(db: Db, now: Date): Promise<string[]> {
  await commit({ db }, [register]);
  const done = await rows(db, raw<{ name: string }>("SELECT name FROM seeded_parts"));
  const missing = Object.entries(parts).filter(([name]) => !done.some((row) => row.name === name));
  for (const [name, part] of missing)
    await commit({ db }, [mark(name, now), ...(await part(now))]).catch((error) => {
      const seededMeanwhile = error instanceof ConstraintError && error.on === "seeded_parts.name";
      if (!seededMeanwhile) throw error;
    });
  return missing.map(([name]) => name);
}

/** In the order in which they build on one another. Each is written once, as one batch, under its name. */
const parts: Record<string, Part> = {
  account: accountPart,
  reasons: reasonsPart,
  delivery: deliveryPart,
  plans: plansPart,
  catalogue: cataloguePart,
  cancellation: cancellationPart,
  records: (now) => [...recordBatches(demoExtent, now)].flat(),
  contents: contentsPart,
  billing: billingPart,
  refunds: refundsPart,
  mail: mailPart,
  staff: staffPart,
};

const register: Statement = {
  sql: "CREATE TABLE IF NOT EXISTS seeded_parts (name TEXT PRIMARY KEY, seeded_at TEXT NOT NULL)",
  params: [],
};

function mark(name: string, now: Date): Statement {
  return {
    sql: "INSERT INTO seeded_parts (name, seeded_at) VALUES (?, ?)",
    params: [name, now.toISOString()],
  };
}
