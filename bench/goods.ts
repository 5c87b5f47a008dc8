import { ask } from "./ask.ts";
import type { Script } from "./build.ts";
import { type Asked, keyOnly } from "./cases.ts";
import { parsed } from "./costs.ts";
import { serve } from "./serve.ts";

export type GoodsCost = { name: string; subscriptions: number; rowsRead: number; seconds: number };

const path = "/api/forecast/goods";

/** The cost of a forecast of the next week, of taking one of two months, and of reading that. */
export async function goodsCosts(script: Script, subscriptions: number): Promise<GoodsCost[]> {
  const lines: Line[] = [];
  const served = await serve({
    script,
    subscriptions,
    entry: "bench/entry-queue.js",
    settings: {
      queueProducers: { JOBS: "perennial-jobs", EVENTS: "perennial-events" },
      queueConsumers: { "perennial-jobs": { maxBatchSize: 10, maxBatchTimeout: 0 } },
    },
    onLine: (text) => lines.push(...(parsed(text) as Line[])),
  });
  try {
    const { key } = keyOnly;
    const read = async (name: string, asked: Asked): Promise<GoodsCost> => {
      await ask(served.address, asked);
      const id = crypto.randomUUID();
      const began = performance.now();
      await ask(served.address, { ...asked, headers: { ...asked.headers, "X-Request-Id": id } });
      const seconds = (performance.now() - began) / 1000;
      await waitFor(async () => lines.some(({ request_id }) => request_id === id));
      const rowsRead = lines.find(({ request_id }) => request_id === id)?.rows_read ?? 0;
      return { name, subscriptions, rowsRead, seconds };
    };
    const get = (query: string): Asked => ({ method: "GET", path: `${path}?${query}`, headers: key });
    const twoMonths = { from: inDays(0), to: inDays(61) };
    const next = await read("the next week", get(`from=${inDays(0)}&to=${inDays(6)}&horizon=next`));
    const all = await read("every next delivery", get(`from=${inDays(0)}&to=${inDays(61)}&horizon=next`));
    const taken = await take(served.address, { key, body: twoMonths, lines });
    const days = `from=${twoMonths.from}&to=${twoMonths.to}`;
    const projected = await read("two months, as taken", get(`${days}&horizon=projected`));
    return [next, all, { name: "taking two months", subscriptions, ...taken }, projected];
  } finally {
    await served.stop();
  }
}

type Line = { event?: string; type?: string; request_id?: string; rows_read: number };
type Taking = { key: Record<string, string>; body: object; lines: Line[] };

/** Takes a forecast, and waits until it is done. */
async function take(
  address: string,
  { key, body, lines }: Taking,
): Promise<{ rowsRead: number; seconds: number }> {
  const headers = { ...key, "Content-Type": "application/json" };
  const began = performance.now();
  const started = await ask(address, {
    method: "POST",
    path: `${path}/runs`,
    headers,
    body: JSON.stringify(body),
  });
  const { id } = JSON.parse(started).data;
  await waitFor(async () => {
    const answer = await ask(address, { method: "GET", path: `/api/jobs/${id}`, headers: key });
    return JSON.parse(answer).data.status === "DONE";
  });
  const pages = lines.filter(({ event, type }) => event === "job" && type === "work_job");
  const rowsRead = pages.reduce((sum, { rows_read }) => sum + rows_read, 0);
  return { rowsRead, seconds: (performance.now() - began) / 1000 };
}

async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 6000; tries++) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("It does not end");
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
