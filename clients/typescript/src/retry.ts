import { type Fetch, within } from "./timeout.ts";

/** Repeats requests that had no answer, or one that may be another next time, as long as a repetition does no harm. */
export function retrying(send: Fetch, { retries, timeoutMs }: Tries): Fetch {
  return async (request) => {
    for (let tried = 0; ; tried++) {
      const isLast = tried >= retries || !isRepeatable(request);
      const answer = await within(timeoutMs, send, request).catch((error: unknown) => {
        if (isLast || request.signal.aborted) throw error;
        return undefined;
      });
      if (answer && (isLast || !(await isPassing(answer)))) return answer;
      await pause(pauseMs(answer, tried), request.signal);
    }
  };
}

const safeMethods = new Set(["GET", "HEAD", "PUT", "DELETE"]);
const passingStatuses = new Set([429, 500, 502, 503, 504]);
const firstPauseMs = 500;
const longestPauseMs = 30_000;

type Tries = { retries: number; timeoutMs: number };

function isRepeatable({ method, headers }: Request): boolean {
  return safeMethods.has(method) || headers.has("Idempotency-Key");
}

/** Whether the answer may be another soon. A first request that is still being answered is one such reason. */
async function isPassing(answer: Response): Promise<boolean> {
  if (passingStatuses.has(answer.status)) return true;
  if (answer.status !== 409) return false;
  const body = (await answer
    .clone()
    .json()
    .catch(() => null)) as { errorCode?: string } | null;
  return body?.errorCode === "IDEMPOTENCY_IN_PROGRESS" || body?.errorCode === "VERSION_CONFLICT";
}

function pauseMs(answer: Response | undefined, tried: number): number {
  const seconds = Number(answer?.headers.get("Retry-After") ?? Number.NaN);
  const asked = Number.isFinite(seconds) ? seconds * 1000 : firstPauseMs * 2 ** tried * (0.5 + Math.random());
  return Math.min(asked, longestPauseMs);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    }
  });
}
