/** A form that is sent after the session had ended changes nothing, says so, and comes back with what was typed. */
import { beforeEach, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { inDays, on, openShop, read, type Shop, subscribe } from "../../support/shops.ts";
import { setClock, useWorker } from "../../support/worker.ts";
import { linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
let shop: Shop;
let id: string;
let visitor: ReturnType<typeof openVisitor>;
beforeEach(async () => {
  shop = await openShop();
  await switchOn(worker, shop, { can_change_quantity: true });
  id = await subscribe(shop);
  visitor = openVisitor(worker, shop);
  await enter();
  setClock(Date.now() + 12 * 3_600_000 + 60_000);
});

async function enter(): Promise<string> {
  const { url } = await linkFor(worker, shop, { locale: "en" });
  return (await visitor.enter(url)).headers.get("Location") ?? "";
}

/** Sends a form without a session; returns the form that signs in, which the answer leads to. */
async function sendLate(path: string, form: Record<string, string>): Promise<string> {
  const answer = await visitor.post(path, form);
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, visitor.base]);
  return (await visitor.get()).text;
}

const kept = "You were signed out before this was saved. Sign in again: what you typed is kept.";
const lost = "You were signed out before this was saved. Please sign in and do it again.";
const back = "You were signed out before this was saved. Here is what you typed. Check it and go on.";

test("the form comes back filled in, once, and can be sent then", async () => {
  const path = `/subscriptions/${id}/schedule`;
  const form = { next_delivery_date: inDays(10), scope: "this" };
  const before = await read(shop, id);
  expect(await sendLate(path, { ...form, confirm: "1" })).toContain(kept);
  expect(await read(shop, id)).toEqual(before);
  expect(await enter()).toBe(visitor.base + path);
  const { text } = await visitor.get(path);
  expect(text).toContain(back);
  expect(text).toContain(`name="next_delivery_date" value="${inDays(10)}"`);
  expect(text).toMatch(/name="scope" value="this" checked/);
  expect((await visitor.get(path)).text).not.toContain(back);
  expect((await visitor.post(path, { ...form, confirm: "1" })).status).toBe(303);
  expect((await read(shop, id)).next_delivery_date).toBe(inDays(10));
});

test.each([
  ["cancel", { reason: "Too much" }, ">Too much</textarea>"],
  ["pause", { pause_until: inDays(20) }, `value="${inDays(20)}"`],
  ["address", { address1: "2 Low Street", country_code: "DE" }, 'value="2 Low Street"'],
])("the form of %s too", async (action, form, shown) => {
  const path = `/subscriptions/${id}/${action}`;
  expect(await sendLate(path, form as Record<string, string>)).toContain(kept);
  expect(await enter()).toBe(visitor.base + path);
  expect((await visitor.get(path)).text).toContain(shown);
});

test("the form about an item comes back at its item", async () => {
  const [{ id: line }] = (await read(shop, id)).lines;
  expect(await sendLate(`/subscriptions/${id}/quantity`, { line, quantity: "7" })).toContain(kept);
  const path = await enter();
  expect(path).toBe(`${visitor.base}/subscriptions/${id}/quantity?line=${line}`);
  expect((await visitor.get(path)).text).toContain('name="quantity" value="7"');
});

test.each([
  ["an undo leads to the subscription", "/undo", ""],
  ["an offer leads to the page that cancels", "/cancel/019a0000-0000-7000-8000-0000000000aa", "/cancel"],
])("%s, and is not taken for done", async (_, sent, page) => {
  expect(await sendLate(`/subscriptions/${id}${sent}`, { entry_id: "x" })).toContain(lost);
  expect(await enter()).toBe(`${visitor.base}/subscriptions/${id}${page}`);
});

test("details that name no record are not kept for whoever signs in next", async () => {
  expect(await sendLate("/profile", { first_name: "Secret" })).toContain(lost);
  expect(await sendLate("/profile/addresses", { address1: "Secret" })).toContain(lost);
  expect(JSON.stringify([...visitor.cookies])).not.toContain("Secret");
  expect(await enter()).toBe(`${visitor.base}/profile`);
});

test("a text that is too long for a cookie is said to be lost", async () => {
  expect(await sendLate(`/subscriptions/${id}/cancel`, { reason: "x".repeat(4_000) })).toContain(lost);
});

test("a page without a form says nothing of one, and its path is kept", async () => {
  await visitor.get(`/subscriptions/${id}/skip`);
  expect((await visitor.get()).text).not.toContain("signed out");
  expect(await enter()).toBe(`${visitor.base}/subscriptions/${id}/skip`);
});

test("a cookie that somebody has made up is only text in a form", async () => {
  await enter();
  const path = `${visitor.base}/subscriptions/${id}/instructions`;
  const typed = {
    path: `/subscriptions/${id}/instructions`,
    fields: { delivery_instructions: "<script>", line: "//evil" },
  };
  visitor.cookies.set("__Host-perennial-typed", encodeURIComponent(JSON.stringify(typed)));
  const { status, text } = await visitor.get(path);
  expect([status, text.includes("&lt;script&gt;"), text.includes("//evil")]).toEqual([200, true, false]);
  for (const made of ["{", "null", "[]", '{"path":1,"fields":7}']) {
    visitor.cookies.set("__Host-perennial-typed", encodeURIComponent(made));
    expect((await visitor.get(path)).status).toBe(200);
  }
  const [entry] = (await api(shop.api, "GET", on(id, "activity"))).body.data ?? [];
  expect(entry?.action).not.toBe("instructions_changed");
});

test("the path of the form that signs in has the form, and leads home whoever is signed in", async () => {
  const { status, text } = await openVisitor(worker, shop).get("/login");
  expect([status, text.includes("Sign in")]).toEqual([200, true]);
  await enter();
  const home = await visitor.get("/login");
  expect([home.status, home.headers.get("Location")]).toEqual([303, visitor.base]);
});
