import type { Network } from "../../src/base/network.ts";
import { call, type Task } from "./task.ts";
import type { Peer, PeerAnswer, World } from "./world.ts";

/** The network as a task sees it: a request is a call, and one that hangs stays under way until it is given up. */
export function networkOf(world: World, task: Task): Network {
  const patience = new WeakMap<AbortSignal, number>();
  const ask = async (url: string, init: RequestInit): Promise<Response> => {
    const peer = peerAt(world, url);
    const answer = await call<PeerAnswer>(task, {
      kind: "post",
      what: () => peer.what(url, init),
      perform: () => peer.receive(world, task, url, init),
    });
    if (answer === "hangs") return giveUp(url, init);
    if (answer === "resets") throw new Error("Network connection lost");
    const leadsTo = answer.headers.get("Location");
    return leadsTo !== null && init.redirect !== "manual" ? ask(leadsTo, init) : answer;
  };
  const giveUp = (url: string, { signal }: RequestInit): Promise<Response> =>
    call<Response>(task, {
      kind: "hang",
      what: () => `give ${new URL(url).hostname.split(".")[0]} up`,
      notBefore: world.clock + (patience.get(signal as AbortSignal) ?? Number.POSITIVE_INFINITY),
      perform: () => Promise.reject(new DOMException("The operation timed out", "TimeoutError")),
    });
  return {
    fetch: async (url, init) => {
      try {
        const response = await ask(url, init);
        if (!response.ok) peerAt(world, url).fails?.(world, url);
        return response;
      } catch (error) {
        peerAt(world, url).fails?.(world, url);
        throw error;
      }
    },
    timeout: (ms) => {
      const { signal } = new AbortController();
      patience.set(signal, ms);
      return signal;
    },
    stopwatch: () => {
      const started = world.clock;
      return () => world.clock - started;
    },
  };
}

/** The last part that is at an address: one may be at all that is nobody else's. */
function peerAt({ parts }: World, url: string): Peer {
  const found = parts.findLast(({ peer }) => peer?.isAt(url))?.peer;
  if (!found) throw new Error(`Nobody is at ${url}`);
  return found;
}
