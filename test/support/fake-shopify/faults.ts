/** How the next requests fail. */
export type Fault = {
  /** `network` and `timeout` reject; `internal` is HTTP 200 with an INTERNAL_SERVER_ERROR. */
  kind: "network" | "timeout" | "http500" | "http502" | "http429" | "malformed" | "internal";
  /**
   * The fate of the request: it is not processed; it is processed and only its answer is lost (`done`); or it is processed when
   * the test calls arriveLate(). After a 429 it never is.
   */
  effect?: "none" | "done" | "late";
  /** How many requests fail; 1 by default. */
  times?: number;
  /** Only those whose operation has this name. */
  on?: string;
  /** Seconds, with http429. */
  retryAfter?: number;
};

/** The answer that a fault leads to; throws if there is none. */
export function failed({ kind, retryAfter = 2 }: Fault): Response {
  switch (kind) {
    case "network":
      throw new Error("Network connection lost.");
    case "timeout":
      throw new DOMException("The operation was aborted due to timeout", "TimeoutError");
    case "http500":
      return json({ errors: "Internal Server Error" }, 500);
    case "http502":
      return new Response(html, { status: 502, headers: { "Content-Type": "text/html; charset=utf-8" } });
    case "http429":
      return json({ errors: "Exceeded 2 calls per second for api client." }, 429, {
        "Retry-After": retryAfter.toFixed(1),
      });
    case "malformed":
      return json('{"data":{"subscriptionBilling');
    case "internal":
      return json({
        errors: [
          {
            message: "Internal error. Looks like something went wrong on our end.",
            extensions: { code: "INTERNAL_SERVER_ERROR", requestId: crypto.randomUUID() },
          },
        ],
      });
  }
}

const html =
  "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>";
function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(typeof body === "string" ? body : JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8", ...headers },
  });
}
