import { Webhook } from "standardwebhooks";
import type { Outcome } from "./outcome.ts";

/** How long an endpoint may take to answer. */
const timeoutMs = 15_000;

type Message = {
  url: string;
  /** Every secret signs; there are two while one is rotated. */
  secrets: string[];
  /** The event's id, the same for every try. */
  id: string;
  body: string;
  at: Date;
};

/** Returns the milliseconds since the stopwatch was started. */
export const stopwatch = (): (() => number) => {
  const started = performance.now();
  return () => Math.round(performance.now() - started);
};

/** Sends an event once, signed by the Standard Webhooks specification, and returns the outcome. Never throws. */
export const attempt = async ({ url, secrets, id, body, at }: Message): Promise<Outcome> => {
  const elapsed = stopwatch();
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body));
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "Perennial-Webhooks/1.0",
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
        "webhook-signature": signatures.join(" "),
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    await discard(response);
    return {
      status: response.status,
      error: faultOf(response),
      retry_after: response.headers.get("retry-after"),
      duration_ms: elapsed(),
    };
  } catch (error) {
    return { status: null, error: reasonOf(error), retry_after: null, duration_ms: elapsed() };
  }
};

/** Of an answer the status alone is of use: it may be a gigabyte, and what it says may be personal. */
async function discard({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => undefined);
}

function faultOf({ ok, status }: Response): string | null {
  if (ok) return null;
  return status >= 300 && status < 400
    ? `answered ${status}: redirects are not followed`
    : `answered ${status}`;
}

function reasonOf(error: unknown): string {
  const isTimeout = error instanceof Error && error.name === "TimeoutError";
  return isTimeout ? `did not answer within ${timeoutMs / 1000} seconds` : "could not be reached";
}
