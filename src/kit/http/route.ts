import { createRoute, type RouteConfig, z } from "@hono/zod-openapi";
import type { AnyOperation } from "./operation.ts";

/**
 * The route of an operation: the schemas that check requests, which the document shows too. document.ts adds the parts that
 * are only described.
 */
export function routeOf(operation: AnyOperation): RouteConfig {
  const { method, path, params, query = noQuery, body, otherMedia } = operation;
  return createRoute({
    method,
    path,
    request: {
      query,
      ...(params ? { params } : {}),
      // `required`, because the validators would otherwise not check an empty body. `screenBody` handles callers' empty bodies.
      ...(body && !otherMedia
        ? { body: { required: true, content: { "application/json": { schema: body } } } }
        : {}),
    },
    responses: {},
  });
}

const noQuery = z.strictObject({});
