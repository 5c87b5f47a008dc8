import type { Db, Result, Statement } from "../../src/base/db/port.ts";
import { countTrip, emptyUsage } from "../../src/base/db/usage.ts";

/** A deployment, and what proves its operators. */
export type Door = { address: string; key: string };

/** The storage port on the object of one account, through the operator's door of its deployment. */
export function openObject(door: Door, accountId: string): Db {
  const usage = emptyUsage();
  return {
    engine: "object",
    usage,
    async batch(statements: Statement[], mode) {
      countTrip(usage, statements);
      const asked = { account_id: accountId, mode, statements };
      const { results } = await ask<{ results: Result[] }>(door, "statements", asked);
      return results;
    },
  };
}

/** Sends a request to the operators' door. Throws what it refuses, in its own words. */
export async function ask<T>({ address, key }: Door, path: string, body: object): Promise<T> {
  const response = await fetch(new URL(`/internal/${path}`, address), {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    redirect: "error",
  }).catch(({ cause }) => {
    throw new Error(`${address} is not reachable (${cause?.code ?? cause}): is the server running?`);
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text) as T;
  if (isUnknownPath(response.status, text))
    throw new Error(`${address} has no operators, or another OPERATOR_KEY than this`);
  throw new Error(messageIn(text) ?? `${address} answers ${response.status}`);
}

function isUnknownPath(status: number, text: string): boolean {
  return status === 404 && messageIn(text) === "Path not found";
}

function messageIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: string }).error;
  } catch {
    return undefined;
  }
}
