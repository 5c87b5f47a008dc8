/** A payment that its customer has to confirm is told once, with where, until when and how much. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { done, entriesOf, feedOf, inDays, type Json } from "../../support/shops.ts";
import { attemptsOf, later, linked, shipNow, useShop } from "../../support/worker.ts";
import { endpointsOf, network } from "../webhook-endpoints/receiver.ts";

const { shop, worker } = useShop();
const net = network();
const hourMs = 3_600_000;

/** A subscription whose payment the customer has to confirm. */
async function challenged(): Promise<string> {
  const id = await linked(shop, worker, {
    next_delivery_date: inDays(30),
    store_payment_method_id: "pm_requires_action",
  });
  await shipNow(shop, worker, id);
  await worker.drain();
  return id;
}

async function challengesOf(id: string): Promise<Json[]> {
  return (await entriesOf(id)).filter(({ action }) => action === "billing_action_required");
}

describe("a payment that the customer has to confirm", () => {
  test("is one entry of its subscription, with where, until when and how much, and nothing else", async () => {
    const id = await challenged();
    const [attempt] = await attemptsOf(shop, id);
    const entries = await challengesOf(id);
    expect(entries.map(({ metadata }) => metadata)).toEqual([
      {
        url: attempt.next_action_url,
        expires_at: attempt.next_action_expires_at,
        amount: 10,
        currency_code: "USD",
      },
    ]);
    const [row] = await select<{ challenged_at: string }>(
      "SELECT challenged_at FROM billing_attempts WHERE id = ?",
      attempt.id,
    );
    expect(Date.parse(attempt.next_action_expires_at) - Date.parse(row!.challenged_at)).toBe(72 * hourMs);
    expect((await feedOf(shop, id))[0]).toMatchObject({
      action: "billing_action_required",
      actor_type: "system",
    });
  });

  test("is sent to endpoints as billing.action_required, with the address", async () => {
    const endpoint = await endpointsOf(shop, worker).create({ event_types: ["billing.action_required"] });
    const id = await challenged();
    await worker.drain();
    const [got] = net.to(endpoint.url);
    expect(got?.body).toMatchObject({
      type: "billing.action_required",
      data: {
        subject: { type: "subscription", id },
        metadata: { url: expect.stringMatching(/^https:/), expires_at: expect.any(String), amount: 10 },
      },
    });
  });

  test("is told once, however often the store is asked, and also when the store names another address", async () => {
    const id = await challenged();
    const [before] = await attemptsOf(shop, id);
    for (let polls = 0; polls < 4; polls++) await later(worker, 61);
    await execute(
      "UPDATE billing_attempts SET next_action_url = 'https://store.example/former' WHERE id = ?",
      before.id,
    );
    await later(worker, 61);
    const [after] = await attemptsOf(shop, id);
    expect(after).toMatchObject({
      status: "ACTION_REQUIRED",
      next_action_url: before.next_action_url,
      next_action_expires_at: before.next_action_expires_at,
    });
    expect(await challengesOf(id)).toHaveLength(1);
  });

  test("is told of a subscription too that was cancelled after its payment was sent", async () => {
    const id = await challenged();
    await execute(
      "UPDATE billing_attempts SET status = 'PROCESSING', challenged_at = NULL WHERE subscription_id = ?",
      id,
    );
    await done(shop.api, "POST", id, "cancel");
    await later(worker, 61);
    expect(await attemptsOf(shop, id)).toMatchObject([{ status: "ACTION_REQUIRED" }]);
    expect(await challengesOf(id)).toHaveLength(2);
  });

  test("is a type that endpoints and the stream can ask for", async () => {
    const id = await challenged();
    const query = { types: "billing.action_required" };
    const { status, body } = await api<Json>(shop.api, "GET", "/api/events", { query });
    expect(status).toBe(200);
    expect(body.data.map(({ subscription_id }: Json) => subscription_id)).toContain(id);
  });
});
