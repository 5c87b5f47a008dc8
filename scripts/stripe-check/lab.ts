import { pause } from "../store-check/run.ts";
import { type Fields, formOf } from "./form.ts";

/** How the account is reached: its secret key, and a `fetch` of its own in tests. */
export type Connection = {
  secretKey: string;
  address?: string;
  send?: (request: Request) => Promise<Response>;
};

/** An answer of any of the API's endpoints, a refusal too. */
// biome-ignore lint/suspicious/noExplicitAny: the shapes of all endpoints' answers, which the checks are about
export type Answer = { status: number; headers: Headers; body: any };

export type Asked = { key?: string; version?: string; secretKey?: string };
type Ask = (path: string, fields?: Fields, asked?: Asked) => Promise<Answer>;

/** The account as a check reaches it. */
export type Lab = {
  get: Ask;
  post: Ask;
  remove: Ask;
  /** The versions that have answered. */
  versions: Set<string>;
  /** How long a check waits between two looks at what is not done yet. */
  pauseMs: number;
  /** Text that no other run has, for idempotency keys. */
  unique: (name: string) => string;
  /** Runs at the end of the section, the last first, whatever came of it. */
  atEnd: (what: string, undo: () => Promise<unknown>) => void;
};

/** The version that the adapter names, and so the checks. */
export const apiVersion = "2026-10-28.endive";

/** Sends the checks' requests. One that was throttled was not processed, and is sent again. */
export function openLab(connection: Connection, pauseMs: number): Omit<Lab, "atEnd" | "unique"> {
  const versions = new Set<string>();
  const ask =
    (method: string): Ask =>
    async (path, fields = {}, asked = {}) => {
      for (let tries = 1; ; tries += 1) {
        const response = await (connection.send ?? fetch)(requestOf(connection, method, path, fields, asked));
        const version = response.headers.get("Stripe-Version");
        if (asked.version === undefined && version !== null) versions.add(version);
        if (response.status !== 429 || tries >= mostTries) return answerOf(response);
        await pause(tries * pauseMs);
      }
    };
  return { get: ask("GET"), post: ask("POST"), remove: ask("DELETE"), versions, pauseMs };
}

const mostTries = 5;

function requestOf(
  { secretKey, address = "https://api.stripe.com" }: Connection,
  method: string,
  path: string,
  fields: Fields,
  asked: Asked,
): Request {
  const form = formOf(fields);
  const isPost = method === "POST";
  return new Request(`${address}/v1/${path}${isPost || form.size === 0 ? "" : `?${form}`}`, {
    method,
    headers: {
      Authorization: `Bearer ${asked.secretKey ?? secretKey}`,
      "Stripe-Version": asked.version ?? apiVersion,
      ...(asked.key === undefined ? {} : { "Idempotency-Key": asked.key }),
    },
    ...(isPost ? { body: form } : {}),
  });
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  return { status, headers, body: await response.json() };
}

/** The body of an answer. Throws one line that says why there is none. */
export function bodyOf({ status, body }: Answer): Answer["body"] {
  if (status < 300) return body;
  throw new Error(`${status} ${body.error?.code ?? body.error?.type}: ${body.error?.message}`);
}

/** The refusal in one line, or "accepted". */
export function refusalIn({ status, body }: Answer): string {
  return status < 300 ? "accepted" : `${status} ${body.error?.code ?? body.error?.type ?? ""}`.trim();
}
