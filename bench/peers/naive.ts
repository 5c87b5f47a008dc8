// A Worker as one writes it first: Hono with zod-openapi, Drizzle's query builder, one awaited query after the other, answers parsed by
// their schemas.
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { and, asc, count, desc, eq, isNull } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { apiKeys } from "../../src/base/accounts/tables.ts";
import { entities } from "../../src/domain/entities/tables.ts";
import { reasons } from "../../src/domain/reasons/tables.ts";
import { keyHash, metaOf } from "./contract.ts";

const Entity = z.object({
  id: z.string(),
  account_id: z.string(),
  profile_id: z.string(),
  entity_type: z.string(),
  name: z.string(),
  is_active: z.coerce.boolean(),
  image_url: z.string().nullable(),
  wizard_id: z.string().nullable(),
  attributes: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
const Reason = z.object({
  id: z.string(),
  account_id: z.string(),
  is_active: z.coerce.boolean(),
  position: z.number(),
  label: z.string(),
  description: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
const List = z.object({ data: z.array(Entity), meta: z.record(z.string(), z.any()) });

function answer<S extends z.ZodType>(schema: S) {
  return {
    200: { description: "The answer.", content: { "application/json": { schema } } },
  };
}
const path = "/api/subscriptions";

const app = new OpenAPIHono<{ Bindings: { DB: D1Database }; Variables: { account: string } }>();

app.use(`${path}/*`, async (c, next) => {
  const key_hash = await keyHash(c.req.header("X-API-Key") ?? "");
  const [key] = await drizzle(c.env.DB).select().from(apiKeys).where(eq(apiKeys.key_hash, key_hash));
  if (!key) return c.json({ error: "Unknown key" }, 401);
  c.set("account", key.account_id);
  return next();
});

app.openapi(
  createRoute({
    method: "get",
    path: `${path}/entities`,
    request: { query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(25) }) },
    responses: answer(List),
  }),
  async (c) => {
    const db = drizzle(c.env.DB);
    const { limit } = c.req.valid("query");
    const living = and(eq(entities.account_id, c.var.account), isNull(entities.deleted_at));
    const order = [desc(entities.created_at), desc(entities.id)];
    const data = await db
      .select()
      .from(entities)
      .where(living)
      .orderBy(...order)
      .limit(limit);
    const [counted] = await db.select({ total: count() }).from(entities).where(living);
    return c.json(List.parse({ data, meta: metaOf(c.req.url, counted?.total ?? 0, limit) }), 200);
  },
);

app.openapi(
  createRoute({
    method: "get",
    path: `${path}/entities/{id}`,
    request: { params: z.object({ id: z.uuid() }) },
    responses: answer(z.object({ data: Entity })),
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    const its = and(eq(entities.account_id, c.var.account), eq(entities.id, id), isNull(entities.deleted_at));
    const [found] = await drizzle(c.env.DB).select().from(entities).where(its);
    return c.json({ data: Entity.parse(found) }, 200);
  },
);

app.openapi(
  createRoute({
    method: "get",
    path: `${path}/skip-reasons`,
    responses: answer(z.array(z.object({ data: Reason }))),
  }),
  async (c) => {
    const its = and(
      eq(reasons.account_id, c.var.account),
      eq(reasons.kind, "skip"),
      isNull(reasons.deleted_at),
    );
    const order = [asc(reasons.position), asc(reasons.created_at), asc(reasons.id)];
    const found = await drizzle(c.env.DB)
      .select()
      .from(reasons)
      .where(its)
      .orderBy(...order);
    return c.json(
      found.map((row) => ({ data: Reason.parse(row) })),
      200,
    );
  },
);

export default app;
