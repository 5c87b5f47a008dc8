import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import worker from "../../src/worker.ts";

/** A `fetch` that the Worker answers, for programs that send requests of their own. */
export async function fetchWorker(request: Request): Promise<Response> {
  const ctx = createExecutionContext();
  const answer = await worker.fetch(request, env, ctx);
  await waitOnExecutionContext(ctx);
  return answer;
}
