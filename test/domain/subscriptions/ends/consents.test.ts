/** A consent is kept word by word with its subscription. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { api } from "../../../support/client.ts";
import { type Json, on, subscribe } from "../../../support/shops.ts";
import { useAccount } from "../../../support/use-account.ts";

const shop = useAccount();

test("a consent is kept with its hash, and shown to staff alone", async () => {
  const consent = {
    text: "I subscribe for $10 each week – until I cancel.",
    channel: "page",
    source: "https://shop.example",
  };
  const id = await subscribe(shop, { consent });
  const { body } = await api<Json>(shop.api, "GET", on(id, "consents"));
  const sha256 = createHash("sha256").update(consent.text).digest("hex");
  expect(body.data).toEqual([
    {
      id: expect.any(String),
      ...consent,
      sha256,
      agreed_at: expect.any(String),
      created_at: expect.any(String),
    },
  ]);
  expect((await api(shop.customer, "GET", on(id, "consents"))).status).toBe(403);
  const without = await subscribe(shop);
  expect((await api<Json>(shop.api, "GET", on(without, "consents"))).body.data).toEqual([]);
});

test("one without a text, of an unknown channel or too long is refused", async () => {
  for (const consent of [
    { channel: "page" },
    { text: "x", channel: "letter" },
    { text: "x".repeat(10_001), channel: "page" },
  ])
    expect((await api(shop.api, "POST", "/api/subscriptions", { body: { consent } })).status).toBe(400);
});
