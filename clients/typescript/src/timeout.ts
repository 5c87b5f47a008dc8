export type Fetch = (request: Request) => Promise<Response>;

/** Throws unless a client can wait for so long. */
export function requireTimeout(timeoutMs: number): void {
  if (!(timeoutMs >= 0 && timeoutMs <= longestMs))
    throw new TypeError(`timeoutMs must be from 0 to ${longestMs}`);
}

/**
 * Sends a request that ends after so long, its answer's body included, or as soon as its own signal says so. 0 is no limit. Throws a
 * DOMException of the name TimeoutError.
 */
export async function within(timeoutMs: number, send: Fetch, request: Request): Promise<Response> {
  if (timeoutMs === 0) return send(request.clone());
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([request.signal, timeout]);
  try {
    return await send(new Request(request.clone(), { signal }));
  } catch (error) {
    if (!timeout.aborted || request.signal.aborted) throw error;
    const { method, url } = request;
    throw new DOMException(`${method} ${url} had no answer within ${timeoutMs} ms`, "TimeoutError");
  }
}

/** Timers of more milliseconds than this end at once. */
const longestMs = 2_147_483_647;
