/** The settings are a page of what a role may read; each is changed by a form that shows first what will be, secrets once. */
import { beforeEach, expect, test } from "vitest";
import { hourMs } from "../../../src/base/lib/time/durations.ts";
import { select } from "../../support/database.ts";
import { usageOf } from "../../support/records.ts";
import { type Json, openShop, type Shop } from "../../support/shops.ts";
import { setClock, useWorker } from "../../support/worker.ts";
import { fieldsIn } from "../portal/visitor.ts";
import { signedIn } from "./member.ts";

const worker = useWorker();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

type Visitor = Awaited<ReturnType<typeof signedIn>>["visitor"];

/** Sends a form, and then its preview. */
async function carryOut(visitor: Visitor, name: string, fields: Record<string, string>) {
  const action = `${visitor.base}/do/${name}`;
  const preview = await visitor.post(action, fields);
  if (preview.status !== 200) return preview;
  return visitor.post(action, fieldsIn(preview.text, action));
}

test("a setting is changed once its preview is confirmed, with what was beside what will be, and only that", async () => {
  const { visitor, member } = await signedIn(worker, shop, "MANAGER");
  const action = `${visitor.base}/do/edit-shop`;
  const { text: form } = await visitor.get("/do/edit-shop");
  const now = await worker.call<Json>(shop.api, "GET", "/api/account");
  expect(form).toContain(`value="${now.body.data.name}"`);
  const shown = {
    name: "Another name",
    timezone: now.body.data.timezone,
    dunning_final_action: now.body.data.dunning_final_action,
    dunning_retry_days: now.body.data.dunning_retry_days.join(", "),
    out_of_stock_action: now.body.data.out_of_stock_action,
    prepaid_on_end: now.body.data.prepaid_on_end,
    on_dispute: now.body.data.on_dispute,
    payment_reminder_days_before: String(now.body.data.payment_reminder_days_before ?? ""),
    support_max_discount_percent: String(now.body.data.support_max_discount_percent),
    ...(now.body.data.require_address ? { require_address: "on" } : {}),
    ...(now.body.data.notify_every_retry ? { notify_every_retry: "on" } : {}),
  };
  const preview = await visitor.post(action, shown);
  expect(preview.text).toContain("<strong>Another name</strong>");
  expect((await visitor.post(action, fieldsIn(preview.text, action))).status).toBe(303);
  const then = await worker.call<Json>(shop.api, "GET", "/api/account");
  expect(then.body.data).toEqual({ ...now.body.data, name: "Another name", updated_at: expect.any(String) });
  const events = await worker.call<Json>(shop.api, "GET", "/api/events?limit=100");
  const [last] = events.body.data.slice(-1);
  expect([last.actor_type, last.actor_name]).toEqual(["admin", member.name]);
});

test("a form is shown and previewed in two trips each, and sends what was changed in it, whatever others changed meanwhile", async () => {
  const { visitor } = await signedIn(worker, shop, "MANAGER");
  const action = `${visitor.base}/do/edit-portal`;
  const form = await usageOf(() => visitor.get("/do/edit-portal"));
  const inputs = form.answer.text.matchAll(/name="(was\.\w+)" value="([^"]*)"/g);
  const was = Object.fromEntries([...inputs].map(([, name, value]) => [name, value])) as Record<
    string,
    string
  >;
  expect(was["was.can_pause"]).toBe("on");
  const shown = Object.fromEntries(Object.entries(was).map(([name, value]) => [name.slice(4), value]));
  await worker.call(shop.api, "PUT", "/api/account/portal", { body: { max_quantity: 7 } });
  const sent = { ...was, ...shown, accent_color: "#1f4f8f" };
  const preview = await usageOf(() => visitor.post(action, sent));
  expect([form.db_round_trips, preview.db_round_trips]).toEqual([2, 2]);
  expect(preview.answer.text.match(/<th scope="row">/g)).toHaveLength(1);
  const hidden = fieldsIn(preview.answer.text, action);
  expect((await visitor.post(action, { ...was, ...hidden })).status).toBe(303);
  const { body } = await worker.call<Json>(shop.api, "GET", "/api/account/portal");
  expect([body.data.accent_color, body.data.max_quantity]).toEqual(["#1f4f8f", 7]);
  const same = await visitor.post(action, { ...was, ...shown });
  expect([same.status, same.text.includes("Nothing is different yet.")]).toEqual([400, true]);
});

test("a list is added to, changed and taken from", async () => {
  const { visitor } = await signedIn(worker, shop);
  const added = await carryOut(visitor, "add-skip-reason", { label: "On a journey", is_active: "on" });
  expect([added.status, added.headers.get("Location")]).toEqual([
    303,
    `${visitor.base}/settings/reasons?done`,
  ]);
  const { text } = await visitor.get("/settings/reasons");
  const [, id = ""] = /edit-skip-reason\?id=([\w-]+)/.exec(text) ?? [];
  expect((await carryOut(visitor, "edit-skip-reason", { id, label: "Away", is_active: "on" })).status).toBe(
    303,
  );
  expect((await visitor.get("/settings/reasons")).text).toContain("Away");
  expect((await carryOut(visitor, "remove-skip-reason", { id })).status).toBe(303);
  expect((await visitor.get("/settings/reasons")).text).not.toContain("Away");
});

test("a key is shown once, to an OWNER who has signed in within the hour, and does not stay on any page", async () => {
  const { visitor } = await signedIn(worker, shop);
  const made = await carryOut(visitor, "add-key", { name: "Till", scopes: "orders:read" });
  const [, secret = ""] = /<code>([^<]+)<\/code>/.exec(made.text) ?? [];
  expect(secret).toMatch(/^prnl_/);
  const { text } = await visitor.get("/settings/keys");
  expect([text.includes("Till"), text.includes(secret)]).toEqual([true, false]);
  const manager = await signedIn(worker, shop, "MANAGER", { email: "m@shop.example" });
  const { text: others } = await manager.visitor.get("/settings");
  expect([others.includes("/settings/keys"), others.includes("/settings/staff")]).toEqual([false, false]);
  for (const page of ["keys", "staff"])
    expect((await manager.visitor.get(`/settings/${page}`)).status).toBe(403);
  expect((await manager.visitor.get("/settings/nothing")).status).toBe(404);
  for (const name of ["add-key", "add-member"]) {
    expect((await manager.visitor.get(`/do/${name}`)).status).toBe(403);
    expect((await carryOut(manager.visitor, name, { name: "x", confirm: "1" })).status).toBe(403);
  }
});

test("an hour after signing in keys and staff ask for a fresh link, which is none of the five an hour", async () => {
  const { visitor } = await signedIn(worker, shop);
  expect((await visitor.get("/settings")).text).not.toContain("sign-in-again");
  setClock(Date.now() + hourMs + 60_000);
  const refused = await carryOut(visitor, "add-key", { name: "Till" });
  expect([refused.status, refused.text.includes("sign in again")]).toEqual([403, true]);
  expect((await visitor.get("/settings")).text).toContain("sign-in-again");
  for (let nth = 0; nth < 6; nth++) await visitor.post("/sign-in-again");
  const asked = await select("SELECT 1 FROM activity_logs WHERE action = 'staff_login_requested'");
  expect(asked).toEqual([]);
});

test("an OWNER adds, changes, invites and removes staff", async () => {
  const { visitor } = await signedIn(worker, shop);
  const { text: adding } = await visitor.get("/do/add-member");
  for (const said of ["Warehouse: orders, goods", "Viewer: reads everything"]) expect(adding).toContain(said);
  const added = await carryOut(visitor, "add-member", {
    email: "kim@shop.example",
    name: "Kim",
    role: "VIEWER",
  });
  expect(added.status).toBe(303);
  const { body } = await worker.call<Json>(shop.api, "GET", "/api/staff");
  const { id } = body.data.find(({ name }: Json) => name === "Kim");
  const form = { id, name: "Kim", email: "kim@shop.example", role: "SUPPORT" };
  expect((await carryOut(visitor, "edit-member", form)).status).toBe(303);
  const invited = await carryOut(visitor, "invite-member", { id });
  expect(invited.text).toMatch(/\/enter\?token=[\w-]{43}/);
  expect((await carryOut(visitor, "remove-member", { id })).status).toBe(303);
});
