import { afterEach, beforeEach, vi } from "vitest";
import type { Json, Shop } from "./shops.ts";
import type { TestWorker } from "./worker.ts";

/** Opens what a file tests anew for each of its tests. The real clock and `fetch` are back after each test. */
export function openedForEach<Opened extends object>(open: () => Promise<Opened>): Opened {
  const opened = {} as Opened;
  beforeEach(async () => {
    Object.assign(opened, await open());
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  return opened;
}

/** A new subscription, with its contract. */
export async function subscribedTo(
  { merchant, worker }: { merchant: Shop; worker: TestWorker },
  body: Json,
): Promise<string> {
  const answer = await worker.call(merchant.api, "POST", "/api/subscriptions", { body });
  if (answer.status !== 201) throw new Error(answer.text);
  await worker.drain();
  return answer.body.ids[0];
}
