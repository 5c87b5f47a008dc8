import { readFileSync } from "node:fs";
import { readD1Migrations } from "@cloudflare/vitest-plugin";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { root } from "../../scripts/paths.ts";
import { seed } from "../../scripts/seed/index.ts";
import { d1Db } from "../../src/base/db/client.ts";
import type { Job } from "../../src/base/job.ts";
import { buildScript, modulesOf } from "../build.ts";
import type { Consumer } from "./platform.ts";

type Rate = { charges: number; perMinute: number };

/** A checkout's Worker on a database of its own, to which so many subscriptions that are due can be added. */
export async function openLocal(checkout: string, { max_batch_size, max_concurrency }: Consumer) {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modulesRoot: "/",
      modules: [
        { type: "ESModule", path: "/entry.js", contents: readFileSync(`${root}bench/peak/entry.js`, "utf8") },
        ...modulesOf(buildScript(checkout)),
      ],
      compatibilityDate: "2026-11-01",
      compatibilityFlags: ["nodejs_compat", "new_module_registry"],
      host: "127.0.0.1",
      cf: false,
      handleStructuredLogs: () => undefined,
      d1Databases: { DB: "peak" },
      bindings: { ENVIRONMENT: "bench", PUBLIC_URL: "http://127.0.0.1" },
    }),
  );
  const { origin } = await miniflare.ready;
  const database = (await miniflare.getD1Database("DB")) as unknown as D1Database;
  for (const { queries } of await readD1Migrations(`${checkout}migrations`))
    for (const query of queries) await database.prepare(query).run();
  await seed(d1Db(database), new Date());

  const consume = async (jobs: Job[], storeMs: number): Promise<Job[]> => {
    const answer = await fetch(origin, { method: "POST", body: JSON.stringify({ jobs, storeMs }) });
    const { sent, retried } = (await answer.json()) as { sent: Job[]; retried: Job[] };
    return [...sent, ...retried];
  };

  /** Works until the queue is empty, so many invocations at once. */
  const drain = async (first: Job[], storeMs: number): Promise<void> => {
    const waiting = [...first];
    let running = 0;
    await new Promise<void>((resolve, reject) => {
      const dispatch = (): void => {
        while (running < max_concurrency && waiting.length > 0) {
          running++;
          consume(waiting.splice(0, max_batch_size), storeMs).then((more) => {
            running--;
            waiting.push(...more);
            dispatch();
          }, reject);
        }
        if (running === 0) resolve();
      };
      dispatch();
    });
  };

  return {
    async measure(due: number, storeMs: number): Promise<Rate> {
      const account_id = await addDue(database, due);
      const before = await countCharges(database);
      const started = performance.now();
      await drain([{ type: "find_due", account_id, kind: "schedule" }], storeMs);
      const minutes = (performance.now() - started) / 60_000;
      const charges = (await countCharges(database)) - before;
      return { charges, perMinute: charges / minutes };
    },
    stop: () => miniflare.dispose(),
  };
}

async function countCharges(database: D1Database): Promise<number> {
  const counted = await database
    .prepare("SELECT COUNT(*) AS n FROM sandbox_charges WHERE state = 'SUCCEEDED'")
    .first<{ n: number }>();
  return counted?.n ?? 0;
}

/** Copies of a subscription that are due today; nothing else of the account is. Returns the account's id. */
async function addDue(database: D1Database, count: number): Promise<string> {
  await database
    .prepare("UPDATE subscriptions SET next_billing_date = '2040-01-01' WHERE next_billing_date IS NOT NULL")
    .run();
  const model = await database
    .prepare(
      `SELECT s.id, (SELECT id FROM accounts WHERE seq = s.account_seq) AS account_id FROM subscriptions AS s WHERE s.status = 'ACTIVE' AND s.store_contract_id IS NOT NULL
        AND s.open_attempt_id IS NULL AND s.dunning_episode_id IS NULL AND s.next_billed_index = s.next_index
        AND s.max_cycles IS NULL AND s.number > 0
        AND EXISTS (SELECT 1 FROM payment_methods AS m WHERE m.id = s.payment_method_id AND m.store_payment_method_id = 'pm_success')
        ORDER BY s.number LIMIT 1`,
    )
    .first<{ id: string; account_id: string }>();
  if (!model) throw new Error("the demo store has no subscription to copy");
  const { results } = await database
    .prepare("SELECT name FROM pragma_table_xinfo('subscriptions') WHERE hidden = 0")
    .all<{ name: string }>();
  const own = ["id", "seq", "number", "store_contract_id", "next_billing_date"];
  const shared = results.map(({ name }) => name).filter((name) => !own.includes(name));
  const firstContract = Math.floor(performance.now() * 1000) + 1_000_000;
  await database
    .prepare(
      `WITH RECURSIVE copy (nth) AS (SELECT 1 UNION ALL SELECT nth + 1 FROM copy WHERE nth < ?1)
        INSERT INTO subscriptions (id, number, store_contract_id, next_billing_date, ${shared.join(", ")})
        SELECT 'copy-' || (nth + ?2), -(nth + ?2), nth + ?2, '2026-01-01', ${shared.join(", ")}
        FROM copy CROSS JOIN subscriptions WHERE subscriptions.id = ?3`,
    )
    .bind(count, firstContract, model.id)
    .run();
  return model.account_id;
}
