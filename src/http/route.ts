import { createRoute, type RouteConfig, z } from "@hono/zod-openapi";
import type { AnyOperation } from "./operation.ts";

const noQuery = z.strictObject({});

/**
 * The route of an operation: the schemas that requests are checked against, which are those that the document shows
 * (document.ts adds what it only describes, when it is asked for).
 */
export function routeOf(operation: AnyOperation): RouteConfig {
  const { method, path, params, query = noQuery, body, otherMedia } = operation;
  return createRoute({
    method,
    path,
    request: {
      query,
      ...(params ? { params } : {}),
      // Required of the validators, which else let an empty body pass unchecked; what it is of callers, screenBody says.
      ...(body && !otherMedia
        ? { body: { required: true, content: { "application/json": { schema: body } } } }
        : {}),
    },
    responses: {},
  });
}
