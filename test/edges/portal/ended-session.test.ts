/** A form that is sent after the session had ended changes nothing, says so, and comes back with what was typed. */
import { beforeEach, expect, test } from "vitest";
import { execute } from "../../support/database.ts";
import { inDays, openShop, read, type Shop, subscribe } from "../../support/shops.ts";
import { profile } from "../../support/tenant.ts";
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

test.each([
  ["/profile", { first_name: "Secret", locale: "fr" }, 'name="first_name" value="Secret"'],
  ["/profile/addresses", { address1: "Secret 1", country_code: "DE" }, 'name="address1" value="Secret 1"'],
])("so does that of the details, %s, once", async (path, form, shown) => {
  expect(await sendLate(path, form)).toContain(kept);
  expect(await enter()).toBe(`${visitor.base}/profile`);
  const { text } = await visitor.get("/profile");
  expect([text.includes(back), text.includes(shown)]).toEqual([true, true]);
  if (path === "/profile") expect(text).toMatch(/value="fr" checked/);
  expect((await visitor.get("/profile")).text).not.toContain("Secret");
});

test("nobody else who signs in at the same browser sees what was typed, and no cookie says it", async () => {
  const other = await profile(shop.of);
  for (const path of ["/profile", "/profile/addresses", `/subscriptions/${id}/cancel`]) {
    const secret = { first_name: "Secret", address1: "Secret", reason: "Secret", country_code: "DE" };
    expect(await sendLate(path, secret)).toContain(kept);
    expect(JSON.stringify([...visitor.cookies])).not.toContain("Secret");
    const { url } = await linkFor(worker, shop, { locale: "en", profile_id: other.id });
    const { headers } = await visitor.enter(url);
    const shown = await visitor.get(headers.get("Location") ?? "");
    expect(shown.text).not.toMatch(/Secret|signed out/);
    visitor.cookies.delete("__Host-perennial");
    await enter();
    setClock(Date.now() + 12 * 3_600_000 + 60_000);
  }
});

test.each(["/profile", "/profile/addresses"])(
  "what somebody has typed in the customer's name, or without ever having signed in, is lost: %s",
  async (path) => {
    await execute(
      "UPDATE portal_sessions SET on_behalf_of = profile_id WHERE profile_id = ?",
      shop.profileId,
    );
    expect(await sendLate(path, { first_name: "Secret", address1: "Secret" })).toContain(lost);
    visitor.cookies.clear();
    expect(await sendLate(path, { first_name: "Secret", address1: "Secret" })).toContain(lost);
    expect(JSON.stringify([...visitor.cookies])).not.toContain("Secret");
    expect(await enter()).toBe(`${visitor.base}/profile`);
  },
);

test("a text that is too long for a cookie is said to be lost", async () => {
  expect(await sendLate(`/subscriptions/${id}/cancel`, { reason: "x".repeat(4_000) })).toContain(lost);
});

test("a page without a form says nothing of one, and its path is kept", async () => {
  await visitor.get(`/subscriptions/${id}/skip`);
  expect((await visitor.get()).text).not.toContain("signed out");
  expect(await enter()).toBe(`${visitor.base}/subscriptions/${id}/skip`);
});

test("a cookie that somebody has made up fills in nothing", async () => {
  await enter();
  const path = `${visitor.base}/subscriptions/${id}/instructions`;
  const page = `/subscriptions/${id}/instructions`;
  const typed = { form: page, fields: { delivery_instructions: "Injected" } };
  for (const made of [{ page, sealed: JSON.stringify(typed) }, { page, ...typed }, null, [], { page: 1 }]) {
    visitor.cookies.set("__Host-perennial-typed", encodeURIComponent(JSON.stringify(made)));
    const { status, text } = await visitor.get(path);
    expect([status, text.includes("Injected")]).toEqual([200, false]);
  }
  visitor.cookies.set("__Host-perennial-typed", "%7B");
  expect((await visitor.get(path)).status).toBe(200);
});

test("the path of the form that signs in has the form, and leads home whoever is signed in", async () => {
  const { status, text } = await openVisitor(worker, shop).get("/login");
  expect([status, text.includes("Sign in")]).toEqual([200, true]);
  await enter();
  const home = await visitor.get("/login");
  expect([home.status, home.headers.get("Location")]).toEqual([303, visitor.base]);
});
