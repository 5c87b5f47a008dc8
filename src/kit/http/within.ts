import type { Context, MiddlewareHandler } from "hono";
import type { HonoEnv } from "./document/operation.ts";
import { errorResponse } from "./errors.ts";

/**
 * Has a request answered within middleware, the first outermost. A refusal becomes the response where it is thrown, so that the middleware
 * around it sees it, as in an app of Hono's: the app itself would look for the path again and walk a chain that most requests do not need.
 */
export async function answerWithin(
  c: Context<HonoEnv>,
  [outermost, ...others]: MiddlewareHandler<HonoEnv>[],
  answer: () => Promise<Response | undefined> | Promise<void>,
): Promise<void> {
  try {
    const response = await (outermost ? outermost(c, () => answerWithin(c, others, answer)) : answer());
    if (response && !c.finalized) c.res = response;
  } catch (error) {
    c.res = errorResponse(c, error);
  }
}

/** Has a request answered within middleware, if there is any: without, a refusal is left to whoever has the request answered. */
export function answerInside(
  c: Context<HonoEnv>,
  middleware: MiddlewareHandler<HonoEnv>[],
  answer: () => Promise<void>,
): Promise<void> {
  return middleware.length > 0 ? answerWithin(c, middleware, answer) : answer();
}
