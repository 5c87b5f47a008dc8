/** Staff who open a customer's portal may do what the customer may; the history has their name, and for whom they act. */
import { beforeAll, expect, test } from "vitest";
import { caseRows, offers, setFlow } from "../../domain/cancellation/leaving.ts";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { type Json, openShop, read, type Shop, subscribe } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { fieldsIn, openVisitor, switchOn } from "../portal/visitor.ts";
import { signedIn } from "./member.ts";

const worker = useWorker();
const { call } = worker;
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
  await switchOn(worker, shop);
});

async function latestEntry(id: string): Promise<Json> {
  const [entry] = await select<Json>(
    "SELECT action, actor_type, actor_name, metadata FROM activity_logs WHERE loggable_id = ? ORDER BY sequence DESC LIMIT 1",
    id,
  );
  return { ...entry, metadata: JSON.parse(entry.metadata ?? "{}") };
}

/** A browser in the portal as the customer, opened from the console. */
async function asCustomer(role = "SUPPORT") {
  const { visitor, member } = await signedIn(worker, shop, role, { name: `${role} Sam` });
  const opened = await visitor.post(`/customers/${shop.profileId}/open-portal`);
  const [, url = ""] = /href="(http[^"]*\/enter\?token=[^"]*)"/.exec(opened.text) ?? [];
  const portal = openVisitor(worker, shop);
  await portal.enter(url);
  return { opened, portal, member };
}

async function pause(portal: ReturnType<typeof openVisitor>, id: string) {
  const path = `${portal.base}/subscriptions/${id}/pause`;
  const preview = await portal.post(path, {});
  return portal.post(path, fieldsIn(preview.text, path));
}

test("a change is made as the customer, recorded as the member of staff, undone, and each page says whose portal it is", async () => {
  const { portal } = await asCustomer();
  const id = await subscribe(shop);
  for (const page of ["", `/subscriptions/${id}`, "/orders", "/profile"])
    expect((await portal.get(page)).text).toMatch(/SUPPORT Sam: this is the portal of/);
  expect((await pause(portal, id)).status).toBe(303);
  expect(await latestEntry(id)).toMatchObject({
    action: "subscription_paused",
    actor_type: "admin",
    actor_name: "SUPPORT Sam",
    metadata: { on_behalf_of: shop.profileId },
  });
  const path = `${portal.base}/subscriptions/${id}`;
  const page = await portal.get(path);
  expect((await portal.post(`${path}/undo`, fieldsIn(page.text, `${path}/undo`))).status).toBe(303);
  expect((await read(shop, id)).status).toBe("ACTIVE");
});

test("the subscription's page leads into the portal, too", async () => {
  const { visitor } = await signedIn(worker, shop, "SUPPORT");
  const { text } = await visitor.get(`/subscriptions/${await subscribe(shop)}`);
  expect(text).toContain(`action="${visitor.base}/customers/${shop.profileId}/open-portal"`);
});

test("the customer's permissions bind: what the shop lets no customer do is refused", async () => {
  const { portal } = await asCustomer("OWNER");
  const id = await subscribe(shop);
  await switchOn(worker, shop, { can_pause: false });
  expect((await pause(portal, id)).status).toBe(403);
  await switchOn(worker, shop, { can_pause: true });
});

test("the portal is closed to whoever is suspended, or may change no subscription any more", async () => {
  for (const change of [{ status: "SUSPENDED" }, { role: "VIEWER" }]) {
    const { portal, member } = await asCustomer();
    expect((await portal.get("/orders")).status).toBe(200);
    await call(shop.api, "PUT", `/api/staff/${member.id}`, { body: change });
    expect((await portal.get("/orders")).status).toBe(303);
  }
});

test("a role that changes no subscription has no such button, and is refused", async () => {
  const { visitor } = await signedIn(worker, shop, "VIEWER");
  expect((await visitor.get(`/customers/${shop.profileId}`)).text).not.toContain("open-portal");
  expect((await visitor.post(`/customers/${shop.profileId}/open-portal`)).status).toBe(403);
  expect((await visitor.post(`/customers/${shop.profileId}/sign-in-link`)).status).toBe(403);
});

test("a key alone makes the customer's own link; with an admin's token it is the admin's", async () => {
  const id = await subscribe(shop);
  const body = { profile_id: shop.profileId };
  for (const [caller, entry] of [
    [shop.api, { actor_type: "customer", metadata: {} }],
    [shop.admin, { actor_type: "admin", metadata: { on_behalf_of: shop.profileId } }],
  ] as const) {
    const link = await call<Json>(caller, "POST", "/api/portal/sessions", { body });
    expect(link.status).toBe(201);
    const portal = openVisitor(worker, shop);
    await portal.enter(link.body.url);
    expect((await portal.get("/orders")).text.includes("this is the portal of")).toBe(caller === shop.admin);
    await pause(portal, id);
    expect(await latestEntry(id)).toMatchObject(entry);
    await call(shop.api, "POST", `/api/subscriptions/${id}/resume`);
  }
});

test("addresses are added, changed and removed, details changed, and a sign-in link is asked for", async () => {
  const { visitor } = await signedIn(worker, shop, "SUPPORT");
  const path = `${visitor.base}/customers/${shop.profileId}`;
  const change = async (name: string, form: Record<string, string>) => {
    const preview = await visitor.post(`${path}/${name}`, form);
    expect(preview.status).toBe(200);
    return visitor.post(`${path}/${name}`, fieldsIn(preview.text, `${path}/${name}`));
  };
  const address = { address1: "New Street 1", zip: "10115", city: "Berlin", country_code: "DE" };
  await change("add-address", address);
  const [, id = ""] = /address\?address=([0-9a-f-]+)/.exec((await visitor.get(path)).text) ?? [];
  expect((await visitor.get(`${path}/address?address=${id}`)).text).toContain("New Street 1");
  await change("address", { ...address, address: id, city: "Bonn", update_subscriptions: "false" });
  expect((await visitor.get(path)).text).toContain("Bonn");
  const remove = await visitor.get(`${path}/remove-address?address=${id}`);
  await visitor.post(`${path}/remove-address`, fieldsIn(remove.text, `${path}/remove-address`));
  expect((await visitor.get(path)).text).not.toContain("Bonn");
  const { email } = (await call<Json>(shop.admin, "GET", `/api/profiles/${shop.profileId}`)).body.data;
  await change("details", { email, first_name: "Ada", last_name: "Kim" });
  expect((await visitor.get(path)).text).toContain("Ada Kim");
  const asked = await visitor.post(`${path}/sign-in-link`);
  expect((await visitor.get(asked.headers.get("Location")!)).text).toMatch(/sign-in link|Nobody mails/);
});

/** Takes the one offer of a customer who leaves, as a member of staff with this role. */
async function takeOffer(role: string, offer: object) {
  await setFlow(shop, [offer], { per: "subscription" });
  const { portal } = await asCustomer(role);
  const id = await subscribe(shop);
  const page = await portal.post(`/subscriptions/${id}/cancel`, { reason: "Too dear" });
  const [opened] = await caseRows(id);
  const path = `${portal.base}/subscriptions/${id}/cancel/${opened.id}`;
  return portal.post(path, fieldsIn(page.text, path));
}

test("support takes no offer for the customer that gives more than the shop lets support give; others do", async () => {
  const dear = { ...offers.DISCOUNT, terms: { ...offers.DISCOUNT.terms, value: 30 } };
  const refused = await takeOffer("SUPPORT", dear);
  expect([refused.status, refused.text.includes("support_max_discount_percent")]).toEqual([403, true]);
  expect((await takeOffer("OWNER", dear)).status).toBe(303);
  expect((await takeOffer("SUPPORT", offers.DISCOUNT)).status).toBe(303);
});

test("support swaps by an offer for no less than the bound allows of the catalogue's price", async () => {
  const items = (price: number) =>
    api(shop.api, "PUT", "/api/account/portal/catalogue", {
      body: {
        items: [
          {
            ...{ store_product_id: "product-2", store_variant_id: "variant-2", product_title: "Rice" },
            ...{ price, selling_plan_ids: [] },
          },
        ],
      },
    });
  expect((await items(10.5)).status).toBe(200);
  expect((await takeOffer("SUPPORT", offers.SWAP)).status).toBe(403);
  expect((await takeOffer("OWNER", offers.SWAP)).status).toBe(303);
  expect((await items(10)).status).toBe(200);
  expect((await takeOffer("SUPPORT", offers.SWAP)).status).toBe(303);
});
