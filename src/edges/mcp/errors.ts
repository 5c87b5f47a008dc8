import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ErrorCode } from "../../base/errors.ts";
import type { ErrorForm } from "../../kit/http/document/operation.ts";
import type { ErrorEnvelope } from "../../kit/http/error-envelope.ts";

const JsonRpcError = z
  .strictObject({
    jsonrpc: z.literal("2.0").openapi({ description: "The version of JSON-RPC: 2.0." }),
    id: z.union([z.string(), z.number(), z.null()]).openapi({
      description: "The id of the request; null where the request could not be read.",
      example: 1,
    }),
    error: z
      .strictObject({
        code: z.int().openapi({
          description: "A code of JSON-RPC; -32000 for what it has no code for.",
          example: -32000,
        }),
        message: z.string().openapi({
          description: "What is wrong, for people.",
          example: "Too many requests, try again in a minute",
        }),
        data: z
          .looseObject({
            errorCode: z.string().optional().openapi({
              description: "The API's own error code.",
              example: "RATE_LIMITED",
            }),
            request_id: z.string().optional().openapi({
              description: "The id of the request in the logs.",
              example: "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10",
            }),
          })
          .optional()
          .openapi({ description: "The API's own errorCode, request_id and details." }),
      })
      .openapi({ description: "The failure." }),
  })
  .openapi("JsonRpcError", {
    example: {
      jsonrpc: "2.0",
      id: 1,
      error: {
        code: -32000,
        message: "Too many requests, try again in a minute",
        data: { errorCode: "RATE_LIMITED", request_id: "0199f3c1-7a51-7c3e-9d55-6a1f0e4b2d10" },
      },
    },
  });

/** The codes that JSON-RPC has (§5.1 of its specification); everything else is the server's. */
const codes: Partial<Record<ErrorCode, number>> = {
  INVALID_JSON: -32700,
  VALIDATION_FAILED: -32600,
  INTERNAL: -32603,
};
const serverError = -32000;

/** Clients of the protocol read JSON-RPC alone, so that every failure here has its form, those before the protocol included. */
export const jsonRpcErrors: ErrorForm = {
  schema: JsonRpcError,
  present: (c, { error, ...data }: ErrorEnvelope) => ({
    jsonrpc: "2.0",
    id: idOf(c),
    error: { code: codes[data.errorCode] ?? serverError, message: error, data },
  }),
};

function idOf(c: Context): string | number | null {
  const { id } = (c.get("parsedBody") ?? {}) as { id?: unknown };
  return typeof id === "string" || typeof id === "number" ? id : null;
}
