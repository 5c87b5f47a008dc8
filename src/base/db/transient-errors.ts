/**
 * The ways in which a database may fail although nothing is wrong with what it was asked. `busy`: it has done nothing. `unreachable`: nobody knows
 * whether it has; asking again soon helps. `overloaded`: nobody knows either, and asking again at once makes it worse. `unanswered`:
 * nobody knows either, and the caller has waited long enough. `full`: it has done nothing, and will not until somebody makes room.
 */
export type Transience = "busy" | "unreachable" | "overloaded" | "unanswered" | "full";

type KnownError = { words: RegExp; kind: Transience };

/** The way in which a failure of a database is transient; undefined if it is not, as a broken constraint or a fault of ours. */
export function transienceOf(error: unknown): Transience | undefined {
  const words = messagesOf(error);
  const known = inOrder.find((each) => each.words.test(words))?.kind;
  return known ?? findFlag(error);
}

/** The messages of an error and of its causes, a line each. */
export function messagesOf(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) parts.push(at.message);
  return parts.join("\n");
}

const d1 = "https://developers.cloudflare.com/d1/observability/debug-d1/#error-list";
const d1Limits = "https://developers.cloudflare.com/d1/platform/limits/";
const objects = "https://developers.cloudflare.com/durable-objects/observability/troubleshooting/";
const sqlite = "https://www.sqlite.org/rescode.html";
const libsql = "https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md";
const local = "seen on a local server under load";

/** Each vendor's own words, with the page that lists them. Objects and D1 share most of theirs. The first that fits counts. */
const knownErrors: Record<string, KnownError[]> = {
  [sqlite]: [
    { words: /SQLITE_BUSY|database is locked|database table is locked/, kind: "busy" },
    { words: /SQLITE_FULL|database or disk is full/, kind: "full" },
  ],
  [d1Limits]: [{ words: /Exceeded maximum DB size/i, kind: "full" }],
  [d1]: [
    { words: /overloaded/i, kind: "overloaded" },
    { words: /storage operation exceeded timeout/i, kind: "overloaded" },
    { words: /exceeded its memory limit|exceeded its CPU time limit/i, kind: "overloaded" },
    { words: /Network connection lost/i, kind: "unreachable" },
    { words: /storage caused object to be reset/i, kind: "unreachable" },
    { words: /reset because its code was updated/i, kind: "unreachable" },
    { words: /Cannot resolve D1 DB due to transient issue/i, kind: "unreachable" },
    { words: /Can't read from request stream because client disconnected/i, kind: "unreachable" },
  ],
  [objects]: [
    { words: /code has been updated, this version can no longer access storage/i, kind: "unreachable" },
    { words: /object has moved to a different machine/i, kind: "unreachable" },
    { words: /object to be reset/i, kind: "unreachable" },
  ],
  [libsql]: [
    { words: /fetch failed|ECONNREFUSED|ECONNRESET|ETIMEDOUT|UND_ERR_|socket hang up/i, kind: "unreachable" },
    { words: /aborted due to timeout/i, kind: "unanswered" },
    { words: /HTTP status 429|HTTP status 503/i, kind: "overloaded" },
    { words: /HTTP status 5\d\d/i, kind: "unreachable" },
    { words: /STREAM_EXPIRED|TRANSACTION_TIMEOUT|stream not found/i, kind: "unreachable" },
  ],
  [local]: [
    {
      words: /Failed to get session commit token|D1_ERROR: internal error|^internal error/im,
      kind: "unreachable",
    },
  ],
};

const inOrder = Object.values(knownErrors).flat();

/** Errors of calls to an object say themselves what to do (developers.cloudflare.com/durable-objects/best-practices/error-handling). */
function findFlag(error: unknown): Transience | undefined {
  if (!(error instanceof Error)) return undefined;
  const { overloaded, retryable } = error as { overloaded?: boolean; retryable?: boolean };
  if (overloaded) return "overloaded";
  return retryable ? "unreachable" : undefined;
}
