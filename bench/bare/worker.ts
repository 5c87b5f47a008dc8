// A Worker by hand, against which the API is measured, without framework, credentials, validation, limits, logs or error
// handling. It asks the database what the API asks, in one trip for a read and two for a write, and answers the same. Its
// statements are given to it in the binding PLANS, recorded from the API in the same run (plans.ts).
import type { Plan, Recorded } from "./plan.ts";

type Bindings = { DB: D1Database; PLANS: string };

let plans: Record<string, Plan> | undefined;

export default {
  async fetch(request: Request, { DB, PLANS }: Bindings): Promise<Response> {
    plans ??= JSON.parse(PLANS ?? "{}") as Record<string, Plan>;
    const plan = plans[request.headers.get("X-Case") ?? ""];
    if (!plan) return json('{"keys":[]}');
    if (plan.kind === "write") return write(DB, plan, await request.text());
    if (!plan.isCached) return read(DB, plan);
    const kept = await caches.default.match(cacheKey);
    if (kept) return kept;
    const response = await read(DB, plan);
    response.headers.set("Cache-Control", "max-age=60");
    await caches.default.put(cacheKey, response.clone());
    return response;
  },
};

const cacheKey = "https://bare.invalid/portal";

function json(body: string): Response {
  return new Response(body, { headers: { "Content-Type": "application/json" } });
}

/** Rows become records: JSON in them is read, flags become booleans. The API's further work on them is taken as recorded. */
async function read(DB: D1Database, plan: Extract<Plan, { kind: "read" }>): Promise<Response> {
  const results = await run(DB, plan.statements);
  for (const { results: rows } of results) (rows as Record<string, unknown>[]).forEach(recordOf);
  return json(JSON.stringify(plan.answer));
}

function recordOf(row: Record<string, unknown>): void {
  for (const name in row) {
    const value = row[name];
    if (typeof value === "string" && (value[0] === "[" || value[0] === "{")) row[name] = JSON.parse(value);
    else if (name.startsWith("is_")) row[name] = value === 1;
  }
}

/** The recorded statements about another subscription and with new ids. */
async function write(
  DB: D1Database,
  plan: Extract<Plan, { kind: "write" }>,
  body: string,
): Promise<Response> {
  JSON.parse(body);
  const nth = plan.next++;
  const ids = plan.newIds.map((id) => [id, crypto.randomUUID()] as const);
  const subject = plan.subjects[nth % plan.subjects.length];
  const swaps = plan.subject && subject ? [...ids, [plan.subject, subject] as const] : ids;
  const swap = (text: string): string => swaps.reduce((made, [from, to]) => made.replaceAll(from, to), text);
  const about = ({ sql, params, swapped }: Recorded): Recorded => ({
    sql,
    swapped,
    params: params.map((value, index) => (swapped.includes(index) ? swap(String(value)) : value)),
  });
  if (plan.reads.length > 0) await run(DB, plan.reads.map(about));
  await run(DB, plan.writes.map(about));
  return json(swap(JSON.stringify(plan.answer)));
}

async function run(DB: D1Database, statements: Recorded[]): Promise<D1Result[]> {
  const bound = statements.map(({ sql, params }) => DB.prepare(sql).bind(...params));
  const [only, ...more] = bound;
  return only && more.length === 0 ? [await only.run()] : DB.batch(bound);
}
