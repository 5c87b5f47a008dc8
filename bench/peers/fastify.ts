// The same answers by Fastify on Node, with SQLite in its own process: no hop to a database, one machine, no edge. Run with the
// database's file; prints its address.
import { DatabaseSync } from "node:sqlite";
import Fastify from "fastify";
import { keyHash, metaOf } from "./contract.ts";
import { accountSql, entitySql, pageSql, reasonsSql, totalSql, withFlag } from "./sql.ts";

const [, , file] = process.argv;
const database = new DatabaseSync(file ?? ":memory:");
const statements = {
  account: database.prepare(accountSql),
  page: database.prepare(pageSql),
  total: database.prepare(totalSql),
  entity: database.prepare(entitySql),
  reasons: database.prepare(reasonsSql),
};
type Row = { is_active: number };
type Keyed = { headers: { "x-api-key"?: string } };

async function accountOf({ headers }: Keyed): Promise<string> {
  const found = statements.account.get(await keyHash(headers["x-api-key"] ?? ""));
  if (!found) throw new Error("Unknown key");
  return String(found.account_id);
}

const app = Fastify();
const path = "/api/subscriptions";
app.get<{ Querystring: { limit: number }; Headers: Keyed["headers"] }>(
  `${path}/entities`,
  {
    schema: {
      querystring: {
        type: "object",
        properties: { limit: { type: "integer", minimum: 1, maximum: 100, default: 25 } },
      },
    },
  },
  async (request) => {
    const account = await accountOf(request);
    const { limit } = request.query;
    const rows = statements.page.all(account, limit) as Row[];
    const total = Number(statements.total.get(account)?.total ?? 0);
    return { data: rows.map(withFlag), meta: metaOf(`http://${request.host}${request.url}`, total, limit) };
  },
);
app.get<{ Params: { id: string }; Headers: Keyed["headers"] }>(`${path}/entities/:id`, async (request) => {
  const row = statements.entity.get(await accountOf(request), request.params.id) as Row | undefined;
  if (!row) throw new Error("Not found");
  return { data: withFlag(row) };
});
app.get<{ Headers: Keyed["headers"] }>(`${path}/skip-reasons`, async (request) => {
  const rows = statements.reasons.all(await accountOf(request)) as Row[];
  return rows.map((row) => ({ data: withFlag(row) }));
});

console.log(await app.listen({ host: "127.0.0.1", port: 0 }));
