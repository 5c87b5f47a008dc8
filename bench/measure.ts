import { ask } from "./ask.ts";
import type { Asked } from "./cases.ts";
import type { Meter } from "./meters.ts";

export type Server = { name: string; address: string; pid: number };
export type Load = { rounds: number; warmUp: number; requests: number; atOnce: number };
/** The cost of one request to each server, in each round. */
export type Costs = Record<string, number[]>;

/**
 * Sends every server the same requests, round by round and one server after the other, so that whatever else the machine does
 * falls on all of them; who begins changes. Requests that warm up are not counted.
 */
export async function measure(
  servers: Server[],
  requestOf: (nth: number, server: Server) => Asked,
  { rounds, warmUp, requests, atOnce }: Load,
  meter: Meter,
): Promise<Costs> {
  const costs: Costs = Object.fromEntries(servers.map(({ name }) => [name, []]));
  const sent = new Map(servers.map(({ name }) => [name, 0]));
  const send = async (server: Server, count: number): Promise<void> => {
    const first = sent.get(server.name) ?? 0;
    sent.set(server.name, first + count);
    let next = first;
    const client = async () => {
      while (next < first + count) await ask(server.address, requestOf(next++, server));
    };
    await Promise.all(Array.from({ length: atOnce }, client));
  };
  for (const server of servers) await send(server, warmUp);
  for (let round = 0; round < rounds; round++) {
    const turn = [...servers.slice(round % servers.length), ...servers.slice(0, round % servers.length)];
    for (const server of turn) {
      const spent = await meter.measure(server.pid, () => send(server, requests));
      costs[server.name]?.push(spent / requests);
    }
  }
  return costs;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** One server's cost over another's, round by round: the median, and between which values it lies. */
export function ratioOf(
  costs: Costs,
  one: string,
  other: string,
): { median: number; least: number; most: number } {
  const ratios = (costs[one] ?? []).map((cost, round) => cost / (costs[other]?.[round] ?? Number.NaN));
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}
