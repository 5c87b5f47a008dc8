/** Staff change many subscriptions by a job that they have looked at, take it back, move others in once checked, and export. */
import { beforeEach, expect, test } from "vitest";
import { nobody, origin } from "../../support/client.ts";
import { dayOf, put, slotOf } from "../../support/records.ts";
import { inDays, type Json, openShop, type Shop, subscribe } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { fieldsIn } from "../portal/visitor.ts";
import { signedIn } from "./member.ts";

const worker = useWorker();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
  for (const _ of [1, 2]) await subscribe(shop);
});

async function statuses(): Promise<string[]> {
  const answer = await worker.call<Json>(shop.api, "GET", "/api/subscriptions");
  return answer.body.data.map(({ status }: Json) => status);
}

test("all that match are changed once it was looked at, by the member's name, and taken back", async () => {
  const { visitor, member } = await signedIn(worker, shop, "MANAGER");
  const form = await visitor.get("/jobs/bulk?filter.status=ACTIVE&action=pause");
  expect([form.status, form.text.includes("All 2 that match")]).toEqual([200, true]);
  const action = `${visitor.base}/jobs/bulk`;
  const asked = await visitor.post(action, { "filter.status": "ACTIVE", action: "pause" });
  expect(asked.status).toBe(303);
  await worker.drain();
  const preview = await visitor.get(asked.headers.get("Location") ?? "");
  expect(preview.text).toContain("2 would be changed");
  expect(await statuses()).toEqual(["ACTIVE", "ACTIVE"]);
  const fields = Object.fromEntries(
    [...preview.text.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  );
  const started = await visitor.post(action, fields as Record<string, string>);
  const again = await visitor.post(action, fields as Record<string, string>);
  expect([started.status, again.headers.get("Location")]).toEqual([303, started.headers.get("Location")]);
  await worker.drain();
  expect(await statuses()).toEqual(["PAUSED", "PAUSED"]);
  const path = started.headers.get("Location") ?? "";
  const { text } = await visitor.get(path);
  for (const part of [member.name, "Take it back", "2 of 2"]) expect(text).toContain(part);
  const [, one = ""] = /\/subscriptions\/([\w-]+)"/.exec(text) ?? [];
  const { text: timeline } = await visitor.get(`/subscriptions/${one}`);
  expect(timeline).toMatch(new RegExp(`by <a href="${path}">a job</a> of ${member.name}<`));
  const undo = `${visitor.base}/do/undo-job`;
  const undoing = await visitor.post(undo, { id: path.split("/").at(-1) ?? "" });
  expect((await visitor.post(undo, fieldsIn(undoing.text, undo))).status).toBe(303);
  await worker.drain();
  expect(await statuses()).toEqual(["ACTIVE", "ACTIVE"]);
});

test("a plan and a slot are chosen by name, and the preview says what each order comes to before and after", async () => {
  const { visitor } = await signedIn(worker, shop, "MANAGER");
  const day = dayOf(shop.of);
  const slot = slotOf(shop.of, day.id);
  await put("delivery_days", [day]);
  await put("delivery_slots", [slot]);
  const { text: form } = await visitor.get("/jobs/bulk?action=move_slot");
  expect(form).toContain(`<option value="${slot.id}">Thursday Morning, 09:00–12:00</option>`);
  expect(form).toMatch(/<select name="filter.selling_plan_id"[^>]*>.*<option value="[^"]+">[^<]/s);
  const given = { "input.title": "Sorry", "input.value": "10", "input.value_type": "PERCENTAGE" };
  const discount = { action: "apply_discount", ...given, "input.target_type": "ORDER" };
  const asked = await visitor.post("/jobs/bulk", { "filter.status": "ACTIVE", ...discount });
  await worker.drain();
  const { text } = await visitor.get(asked.headers.get("Location") ?? "");
  expect(text.match(/\$[\d.]+ → \$[\d.]+/g)).toHaveLength(2);
  expect(text).toContain("2 in all");
});

test("an input that no subscription could be given is refused on the form", async () => {
  const { visitor } = await signedIn(worker, shop);
  const { status, text } = await visitor.post("/jobs/bulk", { action: "pause", "input.until": "2001-01-01" });
  expect([status, text.includes("Nothing was changed.")]).toEqual([400, true]);
});

test("rows that are moved in are checked first, and the check says what is wrong with them", async () => {
  const { visitor } = await signedIn(worker, shop);
  const { text: form } = await visitor.get("/jobs/import");
  const [, key = ""] = /name="key" value="([^"]+)"/.exec(form) ?? [];
  const rows = "subscription_ref,email\nold-1,nobody";
  const sent = { key, source: "old", format: "csv", charge_from: inDays(5), rows };
  const started = await visitor.post("/jobs/import", sent);
  expect(started.status).toBe(303);
  expect((await visitor.post("/jobs/import", sent)).headers.get("Location")).toBe(
    started.headers.get("Location"),
  );
  await worker.drain();
  const { text } = await visitor.get(started.headers.get("Location") ?? "");
  for (const part of ["Import", "failed", "email"]) expect(text).toContain(part);
});

test("a file is moved in as its rows are, by the API's own bound of size, from this origin alone", async () => {
  const { visitor } = await signedIn(worker, shop);
  const { text: form } = await visitor.get("/jobs/import");
  expect(form).toContain('enctype="multipart/form-data"');
  const send = (fields: Record<string, string | File>, Origin = origin) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return visitor.upload("/jobs/import", body, { Origin });
  };
  const file = new File(["subscription_ref,email\nold-1,nobody"], "old.csv", { type: "text/csv" });
  const fields = { source: "old", format: "csv", charge_from: inDays(5), rows: "" };
  const started = await send({ ...fields, key: crypto.randomUUID(), file });
  expect(started.status).toBe(303);
  await worker.drain();
  expect((await visitor.get(started.headers.get("Location") ?? "")).text).toContain("failed");
  const large = new File(["subscription_ref,email\n", "x".repeat(8 * 1024 * 1024)], "large.csv");
  const refused = await send({ ...fields, key: crypto.randomUUID(), file: large });
  expect([refused.status, refused.text.includes("larger than")]).toEqual([413, true]);
  expect((await send({ ...fields, file }, "https://evil.example")).status).toBe(403);
  const support = await signedIn(worker, shop, "SUPPORT", { email: "u@shop.example" });
  const upload = new FormData();
  upload.append("file", file);
  expect((await support.visitor.upload("/jobs/import", upload)).status).toBe(403);
});

test("an export is read by its address, for as long as its maker is signed in", async () => {
  const { visitor } = await signedIn(worker, shop);
  const { text: preview } = await visitor.post("/do/export", { resource: "orders", format: "csv" });
  const fields = fieldsIn(preview, `${visitor.base}/do/export`);
  const { text } = await visitor.post("/do/export", fields);
  const [, address = ""] = /href="[^"]*(\/exports\/[^"]+)"/.exec(text) ?? [];
  const read = () => worker.call(nobody, "GET", address);
  const part = await read();
  expect([part.status, /^# end,/m.test(part.text)]).toEqual([200, true]);
  await visitor.post("/sign-out");
  expect((await read()).status).toBe(404);
});

test("roles without jobs are refused them, and a viewer reads them alone", async () => {
  const support = await signedIn(worker, shop, "SUPPORT");
  const viewer = await signedIn(worker, shop, "VIEWER", { email: "v@shop.example" });
  for (const path of ["/jobs/bulk", "/jobs/import", "/do/export"]) {
    expect((await support.visitor.get(path)).status).toBe(403);
    expect((await viewer.visitor.get(path)).status).toBe(403);
    expect((await viewer.visitor.post(path, { action: "pause" })).status).toBe(403);
  }
  expect((await support.visitor.get("/jobs")).status).toBe(403);
  expect((await viewer.visitor.get("/jobs")).status).toBe(200);
});
