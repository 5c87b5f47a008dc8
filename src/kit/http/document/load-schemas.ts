import type { z } from "zod";
import { type Deferrable, loaded } from "../deferred.ts";
import type { AnyOperation } from "./operation.ts";

/** The schemas that requests for an operation are checked with. */
export type RequestSchemas = { params?: z.ZodObject; query?: z.ZodObject; body?: z.ZodType };

type Answered = { schema?: z.ZodType };
type Success = Answered & { alsoAs?: Record<string, z.ZodType> };

/** An operation with all of its schemas, as the document shows it. */
export type LoadedOperation = AnyOperation &
  RequestSchemas & {
    success: Success;
    alsoAnswers?: Record<number, Answered>;
    rawMedia?: Record<string, z.ZodType>;
  };

export async function loadRequestSchemas({ params, query, body }: AnyOperation): Promise<RequestSchemas> {
  return {
    ...(params ? { params: (await loaded(params)) as z.ZodObject } : {}),
    ...(query ? { query: (await loaded(query)) as z.ZodObject } : {}),
    ...(body ? { body: (await loaded(body)) as z.ZodType } : {}),
  };
}

export async function loadOperation(operation: AnyOperation): Promise<LoadedOperation> {
  const { success, alsoAnswers = {}, rawMedia } = operation;
  const others = Object.entries(alsoAnswers).map(
    async ([status, answer]) => [status, await withSchema(answer)] as const,
  );
  return {
    ...operation,
    ...(await loadRequestSchemas(operation)),
    ...(rawMedia ? { rawMedia: await loadMedia(rawMedia) } : {}),
    success: { ...(await withSchema(success)), ...(await withMedia(success)) },
    ...(operation.alsoAnswers ? { alsoAnswers: Object.fromEntries(await Promise.all(others)) } : {}),
  } as LoadedOperation;
}

async function withMedia({ alsoAs }: AnyOperation["success"]): Promise<Pick<Success, "alsoAs">> {
  return alsoAs ? { alsoAs: await loadMedia(alsoAs) } : {};
}

async function loadMedia(media: Record<string, Deferrable<z.ZodType>>): Promise<Record<string, z.ZodType>> {
  const schemas = Object.entries(media).map(async ([type, schema]) => [type, await loaded(schema)] as const);
  return Object.fromEntries(await Promise.all(schemas));
}

async function withSchema<A extends { schema?: Deferrable<z.ZodType> | undefined }>(answer: A) {
  return answer.schema ? { ...answer, schema: await loaded(answer.schema) } : answer;
}
