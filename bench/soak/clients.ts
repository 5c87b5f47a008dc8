import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Asked } from "../cases.ts";
import { chooseKind, type State } from "./load.ts";

/** How often each kind of request was answered with each status. */
export type Tally = Map<string, Map<number, number>>;
export type Answer = { status: number; text: string };

export function send(address: string, { method, path, headers, body }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(address + path, { agent, method, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      // The server was killed in the middle of it.
      answer.on("close", () => reject(new Error("The answer broke off")));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** An answer, asked for again and again while nobody answers, for a minute at most. */
export async function sendUntilAnswered(address: string, asked: Asked): Promise<Answer> {
  for (const until = Date.now() + 60_000; ; await wait(100)) {
    const answer = await send(address, asked).catch((error) => ({ status: 0, text: String(error) }));
    if (answer.status !== 0 || Date.now() > until) return answer;
  }
}

type Clients = {
  address: string;
  count: number;
  isOver: () => boolean;
  state: State;
  tally: Tally;
  /** Whether the server is killed meanwhile, so that some requests have no answer. */
  isKilled: boolean;
};

/** Clients that ask one thing after the other until it is over. Returns what was answered that should not have been. */
export async function runClients({
  address,
  count,
  isOver,
  state,
  tally,
  isKilled,
}: Clients): Promise<string[]> {
  const unexpected: string[] = [];
  const client = async (): Promise<void> => {
    while (!isOver()) {
      const kind = chooseKind(state);
      const asked = kind.request(state);
      const { status, text } = await send(address, asked).catch((error) => ({
        status: 0,
        text: String(error),
      }));
      const of = tally.get(kind.name) ?? new Map<number, number>();
      tally.set(kind.name, of.set(status, (of.get(status) ?? 0) + 1));
      if (!expected(status) && !(status === 0 && isKilled))
        unexpected.push(`${asked.method} ${asked.path}: ${status} ${text.slice(0, 200)}`);
      if (kind.name === "create" && status === 201)
        state.created.push(...(JSON.parse(text) as { ids: string[] }).ids);
      if (kind.name === "sign-in" && status > 0 && status < 400) state.linksAsked++;
      if (status === 0) await wait(100);
    }
  };
  await Promise.all(Array.from({ length: count }, client));
  return unexpected;
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** A state that forbids what was asked is an answer like any other: others work on the same subscriptions. */
function expected(status: number): boolean {
  return status < 400 || status === 409;
}
