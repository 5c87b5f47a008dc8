// Measures Hono with zod-openapi alone: eleven routes with their schemas, whose handlers do nothing.
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";

const Entity = z.object({
  id: z.string(),
  profile_id: z.string(),
  entity_type: z.string(),
  name: z.string(),
  is_active: z.boolean(),
  image_url: z.string().nullable(),
  attributes: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});
const Page = z.object({
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().max(100).default(25),
});
const Id = z.object({ id: z.string() });

function answer<S extends z.ZodType>(schema: S) {
  return {
    200: { description: "The answer.", content: { "application/json": { schema } } },
  };
}

const app = new OpenAPIHono();
for (const resource of ["profiles", "orders", "subscriptions"]) {
  const body = { content: { "application/json": { schema: Entity.partial() } } };
  const paths = { list: `/${resource}`, one: `/${resource}/{id}` };
  app.openapi(
    createRoute({
      method: "get",
      path: paths.list,
      request: { query: Page },
      responses: answer(z.array(Entity)),
    }),
    (c) => c.json([]),
  );
  app.openapi(
    createRoute({ method: "get", path: paths.one, request: { params: Id }, responses: answer(Entity) }),
    (c) => c.json({} as never),
  );
  app.openapi(
    createRoute({ method: "put", path: paths.one, request: { params: Id, body }, responses: answer(Entity) }),
    (c) => c.json({} as never),
  );
}
app.openapi(
  createRoute({
    method: "delete",
    path: "/profiles/{id}",
    request: { params: Id },
    responses: answer(Entity),
  }),
  (c) => c.json({} as never),
);
app.openapi(
  createRoute({
    method: "get",
    path: "/.well-known/jwks.json",
    responses: answer(z.object({ keys: z.array(z.string()) })),
  }),
  (c) => c.json({ keys: [] }),
);

export default app;
