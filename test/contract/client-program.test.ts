/** A strict program of a shop's developer does its work with the typed client alone: previews, lists, errors and webhooks. */
import { beforeAll, describe, expect, test } from "vitest";
import { endpointsOf, network } from "../domain/webhook-endpoints/receiver.ts";
import { origin } from "../support/client.ts";
import { fetchWorker } from "../support/fetch-worker.ts";
import { type Json, openShop, read, type Shop } from "../support/shops.ts";
import { linked, openWorker, type TestWorker } from "../support/worker.ts";
import { receive, skipAll, whyNot } from "./client-program.ts";

let shop: Shop;
let worker: TestWorker;
beforeAll(async () => {
  shop = await openShop();
  worker = openWorker();
});
const net = network();
const optionsOf = (of: Shop) => ({
  ...{ baseUrl: origin, apiKey: of.api.credentials["X-API-Key"]! },
  fetch: fetchWorker,
});

test("it skips what is active, each as was shown, and reads why something is not there", async () => {
  const ids = [await linked(shop, worker), await linked(shop, worker)];
  const paused = await linked(shop, worker);
  await worker.call(shop.api, "POST", `/api/subscriptions/${paused}/pause`);
  const skipped = await skipAll(optionsOf(shop));
  const now: Json[] = await Promise.all(ids.map((id) => read(shop, id)));
  expect(new Map(skipped)).toEqual(new Map(now.map((one) => [one.number, one.next_delivery_date])));
  expect(await whyNot(optionsOf(shop), shop.profileId)).toBe("404 NOT_FOUND");
  expect(await whyNot(optionsOf(shop), paused)).toBe("PAUSED");
});

describe("its endpoint", () => {
  async function sent() {
    const id = await linked(shop, worker);
    const endpoint = await endpointsOf(shop, worker).create({ event_types: ["subscription.skipped"] });
    await worker.call(shop.api, "POST", `/api/subscriptions/${id}/skip`, { body: { skip_weeks: 1 } });
    await worker.drain();
    const [got] = net.to(endpoint.url);
    const { url, headers, text: body } = got!;
    return { id, secret: endpoint.secret, request: (more = {}) => ({ ...{ url, headers, body }, ...more }) };
  }
  type Sent = { url: string; headers: Headers; body: string };
  const requestOf = ({ url, headers, body }: Sent) => new Request(url, { method: "POST", headers, body });

  test("answers an event by its type", async () => {
    const { id, secret, request } = await sent();
    const answer = await receive(requestOf(request()), secret);
    expect(await answer.json()).toEqual({ skipped: id, by: "api" });
  });

  test("refuses what was changed, is signed by another, is old, or is not signed", async () => {
    const { secret, request } = await sent();
    const { headers, body } = request();
    const old = new Headers(headers);
    old.set("webhook-timestamp", "1700000000");
    const refused = [
      [request({ body: body.replace("subscription.skipped", "subscription.paused") }), secret],
      [request(), `whsec_${btoa("another secret of an endpoint")}`],
      [request({ headers: old }), secret],
      [request({ headers: new Headers() }), secret],
    ] as const;
    const answers = await Promise.all(refused.map(([one, by]) => receive(requestOf(one), by)));
    expect(await Promise.all(answers.map((one) => one.text()))).toEqual([
      "No signature of the request fits the secret",
      "No signature of the request fits the secret",
      "The request was not sent just now",
      "The request is not signed",
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  });

  test("takes an event that is signed by the secret before, too", async () => {
    const { id, secret, request } = await sent();
    const headers = new Headers(request().headers);
    headers.set("webhook-signature", `v1,${btoa("other")} ${headers.get("webhook-signature")}`);
    const answer = await receive(requestOf(request({ headers })), secret);
    expect(await answer.json()).toMatchObject({ skipped: id });
  });
});
