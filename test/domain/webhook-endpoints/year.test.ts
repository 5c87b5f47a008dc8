/** A year of a subscription is a year of events, each delivered once, signed, and as the document says. */
import { describe, expect, test } from "vitest";
import { ownEventTypes } from "../../../src/base/event-types.ts";
import { api } from "../../support/client.ts";
import { apiDocument, faultsOf, type Schema } from "../../support/document.ts";
import { done, type Json, openShop } from "../../support/shops.ts";
import { advance, linked, useWorker } from "../../support/worker.ts";
import { endpointsOf, network, type Received, verified } from "./receiver.ts";

const worker = useWorker();
const net = network();

const webhooks = (apiDocument as Json).webhooks as Record<string, Json>;

function schemaOf(type: string): Schema {
  return (webhooks[type] ?? webhooks["integration.*"]).post.requestBody.content["application/json"].schema;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Standard Webhooks' signature as its specification says it, by other means than the library's. */
async function signatureOf(secret: string, { id, timestamp, text }: Received): Promise<string> {
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytesOf(secret.replace("whsec_", "")), hmac, false, [
    "sign",
  ]);
  const content = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const signed = new Uint8Array(await crypto.subtle.sign("HMAC", key, content));
  return `v1,${btoa(String.fromCharCode(...signed))}`;
}

test("the document has a webhook for each type, and one for integrations and for tests", () => {
  expect(Object.keys(webhooks).sort()).toEqual([...ownEventTypes, "integration.*", "webhook.test"].sort());
});

describe("a year of a subscription on the test clock", () => {
  test("is a year of events, in order in the stream, each delivered once and as the document says", async () => {
    const shop = await openShop();
    const endpoints = endpointsOf(shop, worker);
    const endpoint = await endpoints.create();
    const id = await linked(shop, worker, {
      next_delivery_date: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
    });
    for (let month = 0; month < 12; month++) {
      await advance(shop, worker, 30);
      if (month === 5) await done(shop.api, "POST", id, "skip", { skip_weeks: 2 });
    }
    const events: Json[] = [];
    for (let after = 1, more = true; more; ) {
      const { body } = await api(shop.api, "GET", "/api/events", { query: { after, limit: 100 } });
      events.push(...body.data);
      after = body.meta.next_after;
      more = body.meta.has_more;
    }
    const sequences = events.map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.toSorted((one, other) => one - other));
    const instants = events.map(({ created_at }) => created_at);
    expect(instants).toEqual(instants.toSorted());
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type === "billing.succeeded").length).toBeGreaterThan(45);
    for (const type of ["subscription.created", "order.placed", "subscription.payment_reminder_due"])
      expect(types).toContain(type);

    const got = net.to(endpoint.url);
    expect(got.map(({ id }) => id).sort()).toEqual(events.map(({ id }) => id).sort());
    const byId = new Map(events.map((event) => [event.id, event]));
    for (const one of got) {
      const { object, ...event } = one.body.data;
      expect(event).toEqual(byId.get(one.id));
      expect(object.id).toBe(event.subject.id);
      expect(faultsOf(schemaOf(event.type), one.body), event.type).toEqual([]);
      expect(verified(endpoint, one)).toEqual(one.body);
      expect(one.signature).toBe(await signatureOf(endpoint.secret, one));
    }
  });
});

describe("a signature", () => {
  test("is of this very body, id and time, under this very secret", async () => {
    const shop = await openShop();
    const endpoints = endpointsOf(shop, worker);
    const endpoint = await endpoints.create();
    const other = await endpoints.create();
    await endpoints.call("POST", `/${endpoint.id}/test`);
    await worker.drain();
    const [received] = net.to(endpoint.url) as [Received];
    expect(verified(endpoint, received)).toEqual(received.body);
    expect(faultsOf(schemaOf("webhook.test"), received.body)).toEqual([]);
    const forgeries: Received[] = [
      { ...received, text: `${received.text} ` },
      { ...received, id: `${received.id}0` },
      { ...received, timestamp: String(Number(received.timestamp) + 1) },
      { ...received, signature: received.signature.replace(/.$/, "") },
    ];
    for (const forgery of forgeries) expect(() => verified(endpoint, forgery)).toThrow();
    expect(() => verified(other, received)).toThrow();
  });
});
