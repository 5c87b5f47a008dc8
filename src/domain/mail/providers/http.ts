import { secondMs } from "../../../base/lib/time/durations.ts";
import type { Network } from "../../../base/network.ts";
import { RefusedError, ThrottledError, UnknownSendError } from "../port.ts";

type Request = { url: string; headers: Record<string, string>; body: object };

/** Posts JSON to a provider and returns its answer. Throws UnknownSendError where there is none, or none that says what became of it. */
export async function post(
  network: Network,
  { url, headers, body }: Request,
): Promise<{ response: Response; answer: Record<string, unknown> }> {
  try {
    const response = await network.fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json", ...headers },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: network.timeout(timeoutMs),
    });
    const answer: unknown = await response.json().catch(() => ({}));
    return { response, answer: isObject(answer) ? answer : {} };
  } catch (error) {
    throw new UnknownSendError(
      isTimeout(error) ? "the provider did not answer in time" : "the provider could not be reached",
    );
  }
}

/**
 * The failure that an answer other than a success tells of: busy, not to be sent as it is, refused until the settings are right (the key, the sender's
 * domain), or a fault on the provider's side, after which nobody knows.
 */
export function failureOf(response: Response, code: string): Error {
  const { status, headers } = response;
  if (status === 429) return new ThrottledError(secondsOf(headers.get("retry-after")));
  if (status >= 500 || status < 400) return new UnknownSendError(`the provider answered ${status}`);
  return new RefusedError(code.slice(0, longestCode), ![401, 402, 403, 404].includes(status));
}

const timeoutMs = 15 * secondMs;
const longestCode = 100;

/** A minute where the provider does not say how long it wants to be left alone. */
function secondsOf(retryAfter: string | null): number {
  return /^\d{1,5}$/.test(retryAfter ?? "") ? Math.max(1, Number(retryAfter)) : 60;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}
