import { ask } from "./ask.ts";
import type { Script } from "./build.ts";
import { type Asked, callerOf, casesFor, mcpCall } from "./cases.ts";
import { signingKey } from "./requests.ts";
import { serve } from "./serve.ts";

export type Cost = { name: string; trips: number; statements: number; rowsRead: number; rowsWritten: number };

/**
 * The cost of each request to a database with so many subscriptions, once its credentials are known: exact, from its line in the
 * log.
 */
export async function costsAt(script: Script, subscriptions: number): Promise<Cost[]> {
  const lines: Line[] = [];
  const served = await serve({
    script,
    subscriptions,
    bindings: { JWT_PRIVATE_JWK: await signingKey() },
    onLine: (text) => lines.push(...parsed(text)),
  });
  try {
    const caller = await callerOf(served.address);
    const costs: Cost[] = [];
    for (const { name, request } of [...casesFor(10), mcpCall]) {
      await ask(served.address, request(0, caller));
      costs.push({ name, ...(await costOf(served.address, request(1, caller), lines)) });
    }
    return costs;
  } finally {
    await served.stop();
  }
}

type Line = {
  event?: string;
  request_id: string;
  db_round_trips: number;
  db_statements: number;
  rows_read: number;
  rows_written: number;
};

export function parsed(text: string): Line[] {
  try {
    return [JSON.parse(text) as Line];
  } catch {
    return [];
  }
}

/** A call of a tool has two lines under one id, its own and its operation's, which share one database: the larger is the whole. */
async function costOf(address: string, asked: Asked, lines: Line[]): Promise<Omit<Cost, "name">> {
  const id = crypto.randomUUID();
  await ask(address, { ...asked, headers: { ...asked.headers, "X-Request-Id": id } });
  const its = () => lines.filter((line) => line.event === "request" && line.request_id === id);
  for (let tries = 0; its().length === 0 && tries < 500; tries++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  const most = (of: (line: Line) => number): number => Math.max(...its().map(of));
  return {
    trips: most((line) => line.db_round_trips),
    statements: most((line) => line.db_statements),
    rowsRead: most((line) => line.rows_read),
    rowsWritten: most((line) => line.rows_written),
  };
}
