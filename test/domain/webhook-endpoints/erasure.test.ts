/** An event that was not delivered when its customer was erased carries nothing personal. */
import { expect, test } from "vitest";
import { parseEnv } from "../../../src/base/env.ts";
import { erasePersonalData } from "../../../src/domain/privacy/erase-personal-data.ts";
import { openCtx } from "../../../src/kit/context.ts";
import { testDb } from "../../support/database.ts";
import { done, type Json, openShop } from "../../support/shops.ts";
import { linked, useWorker } from "../../support/worker.ts";
import { endpointsOf, network } from "./receiver.ts";

const worker = useWorker();
const net = network();
const canary = "Canary-4711";

test("an event that was not delivered when its customer was erased carries nothing personal", async () => {
  const shop = await openShop();
  const id = await linked(shop, worker);
  const endpoints = endpointsOf(shop, worker);
  const endpoint = await endpoints.create();
  net.answering(endpoint.url, 503);
  const profile = { first_name: canary, phone_number: canary, address1: canary };
  await worker.call<Json>(shop.admin, "PUT", `/api/profiles/${shop.profileId}`, { body: profile });
  await done(shop.api, "PUT", id, "delivery-instructions", { delivery_instructions: canary });
  await done(shop.customer, "POST", id, "pause", { reason: canary });
  await worker.tick();
  expect(
    net
      .to(endpoint.url)
      .map(({ text }) => text)
      .join(),
  ).toContain(canary);

  const actor = { type: "system", name: null } as const;
  const opened = {
    env: parseEnv(worker.bindings),
    db: testDb(),
    account: shop.of.account,
    actor,
    log: () => {},
  };
  await erasePersonalData(await openCtx({ ...opened, realNow: new Date() }), shop.profileId);
  net.received.length = 0;
  net.answering(endpoint.url, 200);
  for (const { id: delivery } of await endpoints.deliveries(endpoint))
    await endpoints.call("POST", `/${endpoint.id}/deliveries/${delivery}/resend`);
  await worker.tick();
  const got = net.to(endpoint.url);
  expect(got.length).toBeGreaterThan(3);
  for (const { text, body } of got) expect(text, body.type).not.toContain(canary);
  expect(got.map(({ body }) => body.type)).toContain("profile.updated");
});
