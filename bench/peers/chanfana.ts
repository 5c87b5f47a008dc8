// The same answers by chanfana on Hono and D1: its classes of routes, with their schemas.
import { fromHono, OpenAPIRoute } from "chanfana";
import { type Context, Hono } from "hono";
import { z } from "zod";
import { keyHash, metaOf } from "./contract.ts";
import { accountSql, entitySql, pageSql, reasonsSql, totalSql, withFlag } from "./sql.ts";

type Env = { Bindings: { DB: D1Database }; Variables: { account: string } };
type Row = { is_active: number };

const path = "/api/subscriptions";
const Entity = z.object({ id: z.string(), name: z.string(), is_active: z.boolean() });

function answer(schema: z.ZodType) {
  return {
    "200": { description: "The answer.", content: { "application/json": { schema } } },
  };
}

class ListEntities extends OpenAPIRoute {
  override schema = {
    request: { query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(25) }) },
    responses: answer(z.object({ data: z.array(Entity) })),
  };
  override async handle(c: Context<Env>) {
    const { limit } = (await this.getValidatedData<typeof this.schema>()).query;
    const { DB } = c.env;
    const account = c.get("account");
    const [page, counted] = (await DB.batch([
      DB.prepare(pageSql).bind(account, limit),
      DB.prepare(totalSql).bind(account),
    ])) as [D1Result<Row>, D1Result<{ total: number }>];
    const total = counted.results[0]?.total ?? 0;
    return c.json({ data: page.results.map(withFlag), meta: metaOf(c.req.url, total, limit) });
  }
}

class GetEntity extends OpenAPIRoute {
  override schema = {
    request: { params: z.object({ id: z.uuid() }) },
    responses: answer(z.object({ data: Entity })),
  };
  override async handle(c: Context<Env>) {
    const { id } = (await this.getValidatedData<typeof this.schema>()).params;
    const row = await c.env.DB.prepare(entitySql).bind(c.get("account"), id).first<Row>();
    return row ? c.json({ data: withFlag(row) }) : c.json({ error: "Not found" }, 404);
  }
}

class ListReasons extends OpenAPIRoute {
  override schema = { responses: answer(z.array(z.object({ data: z.object({ id: z.string() }) }))) };
  override async handle(c: Context<Env>) {
    const { results } = await c.env.DB.prepare(reasonsSql).bind(c.get("account")).run<Row>();
    return c.json(results.map((row) => ({ data: withFlag(row) })));
  }
}

const app = new Hono<Env>();
app.use(`${path}/*`, async (c, next) => {
  const found = await c.env.DB.prepare(accountSql)
    .bind(await keyHash(c.req.header("X-API-Key") ?? ""))
    .first<{ account_id: string }>();
  if (!found) return c.json({ error: "Unknown key" }, 401);
  c.set("account", found.account_id);
  return next();
});
const openapi = fromHono(app);
openapi.get(`${path}/entities`, ListEntities);
openapi.get(`${path}/entities/:id`, GetEntity);
openapi.get(`${path}/skip-reasons`, ListReasons);

export default app;
