export type Fetch = (request: Request) => Promise<Response>;

const safeMethods = new Set(["GET", "HEAD", "PUT", "DELETE"]);
const passingStatuses = new Set([429, 500, 503]);
const firstPauseMs = 500;
const longestPauseMs = 30_000;

/** Repeats requests that had no answer, or one that may be another next time, as long as a repetition does no harm. */
export function retrying(send: Fetch, retries: number): Fetch {
  return async (request) => {
    for (let tried = 0; ; tried++) {
      const isLast = tried >= retries || !isRepeatable(request);
      const answer = await send(request.clone()).catch((error: unknown) => {
        if (isLast || request.signal.aborted) throw error;
        return undefined;
      });
      if (answer && (isLast || !(await isPassing(answer)))) return answer;
      await pause(pauseMs(answer, tried), request.signal);
    }
  };
}

function isRepeatable({ method, headers }: Request): boolean {
  return safeMethods.has(method) || headers.has("Idempotency-Key");
}

/** Whether the answer may be another soon. A first request that is still being answered is one such reason. */
async function isPassing(answer: Response): Promise<boolean> {
  if (passingStatuses.has(answer.status)) return true;
  if (answer.status !== 409) return false;
  const body = (await answer.clone().json()) as { errorCode?: string };
  return body.errorCode === "IDEMPOTENCY_IN_PROGRESS" || body.errorCode === "VERSION_CONFLICT";
}

function pauseMs(answer: Response | undefined, tried: number): number {
  const seconds = Number(answer?.headers.get("Retry-After") ?? Number.NaN);
  const asked = Number.isFinite(seconds) ? seconds * 1000 : firstPauseMs * 2 ** tried * (0.5 + Math.random());
  return Math.min(asked, longestPauseMs);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
