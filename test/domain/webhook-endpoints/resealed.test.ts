/** Deliveries are signed with secrets that were sealed anew under the first key. */
import { expect, test } from "vitest";
import { resealEndpointSecrets } from "../../../src/domain/webhook-endpoints/reseal.ts";
import { testDb } from "../../support/database.ts";
import { openShop } from "../../support/shops.ts";
import { linked, openWorker } from "../../support/worker.ts";
import { endpointsOf, network, verified } from "./receiver.ts";

const net = network();

function keyOf(byte: number): string {
  return btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)));
}
const [older, newer, lost] = [keyOf(1), keyOf(2), keyOf(3)];

function workerWith(keys: string) {
  return openWorker({ STORE_CREDENTIALS_KEY: keys });
}

/** A shop whose endpoint was created under a key, and the pause of its subscription under another. */
async function opened(key: string) {
  const of = await openShop();
  const endpoint = await endpointsOf(of, workerWith(key)).create({ event_types: ["subscription.paused"] });
  const id = await linked(of, workerWith(key));
  const pause = async (keys: string): Promise<void> => {
    const worker = workerWith(keys);
    await worker.call(of.api, "POST", `/api/subscriptions/${id}/pause`);
    await worker.drain();
  };
  return { of, endpoint, pause };
}

function resealed() {
  return resealEndpointSecrets(testDb(), `${newer},${older}`, new Date().toISOString());
}

test("once secrets are sealed with the first key, deliveries are signed without the others", async () => {
  const { endpoint, pause } = await opened(older);
  expect((await resealed()).resealed).toBe(1);
  await pause(newer);
  const [received] = net.to(endpoint.url);
  expect(verified(endpoint, received!)).toMatchObject({ type: "subscription.paused" });
});

test("a secret that was rotated before signs along for its day", async () => {
  const { of, endpoint, pause } = await opened(older);
  const { body } = await endpointsOf(of, workerWith(older)).call("POST", `/${endpoint.id}/rotate-secret`);
  await resealed();
  await pause(newer);
  const [received] = net.to(endpoint.url);
  for (const { secret } of [endpoint, body.data])
    expect(verified({ secret }, received!)).toMatchObject({ type: "subscription.paused" });
});

test("repeating it changes nothing; what no key opens is named", async () => {
  const { endpoint } = await opened(lost);
  await opened(older);
  await resealed();
  const { resealed: again, not_opened } = await resealed();
  expect(again).toBe(0);
  expect(not_opened).toContain(endpoint.id);
});
