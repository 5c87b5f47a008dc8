/** A customer corrects a saved address with or without its subscriptions, and gives one that is missing. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { done, openShop, read, type Shop, subscribe } from "../../support/shops.ts";
import { profile } from "../../support/tenant.ts";
import { advance, linked, useWorker } from "../../support/worker.ts";
import { linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
let shop: Shop;
let visitor: ReturnType<typeof openVisitor>;

beforeEach(async () => {
  shop = await openShop();
  await switchOn(worker, shop);
  visitor = openVisitor(worker, shop);
});

const saved = {
  address1: "5 Saved St",
  city: "Bronx",
  zip: "10451",
  country_code: "US",
  province: "New York",
};

test("Change corrects a saved address, and asks whether the subscriptions that deliver to it follow", async () => {
  const made = await api(shop.customer, "POST", "/api/portal/me/addresses", { body: saved });
  const { id: delivery_address_id } = made.body.data;
  const id = await subscribe(shop, { delivery_address_id });
  await visitor.enter((await linkFor(worker, shop, {})).url);
  const page = `/profile/addresses/${delivery_address_id}`;
  expect((await visitor.get("/profile")).text).toContain(`${page}">Change`);
  const { text } = await visitor.get(page);
  expect(text).toContain('value="5 Saved St"');
  expect(text).toMatch(/name="update_subscriptions" value="yes"[^>]* checked/);
  const streets = async () => (await read(shop, id)).delivery_address.address1;
  await visitor.post(page, { ...saved, address1: "6 Other St", update_subscriptions: "no" });
  expect(await streets()).toBe("5 Saved St");
  await visitor.post(page, { ...saved, update_subscriptions: "no" });
  const answer = await visitor.post(page, {
    ...saved,
    address1: "7 Corrected Ave",
    update_subscriptions: "yes",
  });
  expect(answer.status).toBe(303);
  expect(await streets()).toBe("7 Corrected Ave");
  const refused = await visitor.post(page, { ...saved, zip: "", update_subscriptions: "yes" });
  expect([refused.status, refused.text.includes('name="zip"')]).toEqual([400, true]);
});

test("a delivery that waits for its address says so, with the way to give it", async () => {
  const { id: bare } = await profile(shop.of);
  await api(shop.api, "PUT", "/api/account", { body: { require_address: true } });
  const id = await linked(shop, worker, { profile_id: bare });
  await advance(shop, worker, 0.1);
  await visitor.enter((await linkFor(worker, { ...shop, profileId: bare }, {})).url);
  for (const page of ["", `/subscriptions/${id}`]) {
    const { text } = await visitor.get(page);
    expect(text).toContain("We need a complete address to deliver to.");
    expect(text).toMatch(new RegExp(`class="button" href="[^"]*/subscriptions/${id}/address"`));
  }
  await done(shop.api, "PUT", id, "delivery-address", saved);
  expect((await visitor.get("")).text).not.toContain("We need a complete address");
});
