/** The inbox holds what waits for a person, the oldest money first; what its rows lead to is done once, as it was shown, by whoever may. */
import { beforeAll, expect, test } from "vitest";
import { states } from "../../domain/billing/upcoming-states.ts";
import { execute } from "../../support/database.ts";
import { attemptOf, put, usageOf } from "../../support/records.ts";
import { type Json, on, openShop, read, type Shop, subscribe } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { fieldsIn } from "../portal/visitor.ts";
import { signedIn } from "./member.ts";

const worker = useWorker();
let shop: Shop;
let owing: string;
let review: string;
let without: string;
beforeAll(async () => {
  shop = await openShop();
  const of = shop.of.account.seq;
  without = await subscribe(shop);
  const reviewed = await subscribe(shop);
  const attempt = attemptOf(shop.of, reviewed, 1, { status: "REVIEW", error_code: "store_unreachable" });
  review = attempt.id ?? "";
  await put("billing_attempts", [attempt]);
  await execute(
    "UPDATE subscriptions SET open_attempt_id = ?, billing_blocked_reason = 'store_unreachable' WHERE account_seq = ? AND id = ?",
    ...[review, of, reviewed],
  );
  await execute(
    "UPDATE subscriptions SET billing_blocked_reason = 'address_missing' WHERE account_seq = ? AND id = ?",
    ...[of, without],
  );
  const body = { url: "https://example.com/hook", event_types: ["*"] };
  const made = await worker.call<Json>(shop.api, "POST", "/api/webhook-endpoints", { body });
  await execute(
    "UPDATE webhook_endpoints SET failing_since = created_at WHERE account_seq = ? AND id = ?",
    ...[of, made.body.data.id],
  );
  owing = await subscribe(shop);
  await states["in dunning"]?.enter({ shop, worker, id: owing, days: 0, shipsNow: false });
});

test("each kind has its tab, the rail counts them, and money comes first", async () => {
  const { visitor } = await signedIn(worker, shop);
  const { text } = await visitor.get("/to-do");
  for (const title of ["Failed payments", "Charges to review", "Addresses missing", "Failing endpoints"])
    expect(text).toContain(title);
  expect(text.indexOf("It was not paid")).toBeGreaterThan(0);
  expect(text.indexOf("It was not paid")).toBeLessThan(text.indexOf("https://example.com/hook"));
  expect(text).toMatch(/To do <span class="count">\d/);
  const { text: tab } = await visitor.get("/to-do?tab=endpoints");
  expect([tab.includes("https://example.com/hook"), tab.includes("It was not paid")]).toEqual([true, false]);
});

test("Today says of each kind how much waits, since when the oldest, and whose it is, in two trips", async () => {
  const { visitor } = await signedIn(worker, shop);
  const { answer, db_round_trips } = await usageOf(() => visitor.get());
  expect(db_round_trips).toBe(2);
  const [, card = ""] = /<h2>Waits for a person<\/h2>(.*?)<\/section>/s.exec(answer.text) ?? [];
  const rows = [...card.matchAll(/<tr><td[^>]*><a href="[^"]*\/to-do\?tab=(\w+)".*?<\/tr>/gs)];
  expect(rows.map(([, tab]) => tab)).toEqual(["payments", "reviews", "addresses", "endpoints"]);
  for (const [row] of rows)
    expect(row).toMatch(/data-label="Oldest since">[^<]*2\d{3}<.*data-label="How many">1</s);
  expect(rows[0]?.[0]).toContain(`/subscriptions/${owing}"`);
});

test("a charge under review is settled once it was shown, and once however often it is sent", async () => {
  const { visitor } = await signedIn(worker, shop, "SUPPORT");
  const action = `${visitor.base}/do/settle-uncharged`;
  const preview = await visitor.get(`/do/settle-uncharged?id=${review}`);
  expect([preview.status, preview.text.includes("Settle as not paid")]).toEqual([200, true]);
  const confirmed = fieldsIn(preview.text, action);
  const done = await visitor.post(action, confirmed);
  expect([done.status, done.headers.get("Location")]).toEqual([303, `${visitor.base}/to-do?done`]);
  expect((await visitor.post(action, confirmed)).status).toBe(303);
});

test("a payment that failed is tried again as its preview says, and a refusal says that nothing was changed", async () => {
  const { visitor } = await signedIn(worker, shop);
  const { text: inbox } = await visitor.get("/to-do");
  const action = `${visitor.base}/subscriptions/${owing}/retry-payment`;
  expect(inbox).toContain(`href="${action}"`);
  const { text } = await visitor.get(action);
  expect(text).toContain("Charged now");
  const before = fieldsIn(text, action);
  expect(before.preview).toMatch(/.{20}/);
  const { lines } = await read(shop, owing);
  const body = { price: lines[0].price + 1 };
  await worker.call(shop.api, "PUT", on(owing, `lines/${lines[0].id}`), { body });
  const changed = await visitor.post(action, before);
  expect(changed.status).toBe(409);
  expect(changed.text).toContain("Below is what it would do now.");
  const now = fieldsIn(changed.text, action);
  expect(now.preview).not.toBe(before.preview);
  expect((await visitor.post(action, now)).status).toBe(303);
  const refused = await visitor.get(`/subscriptions/${without}/retry-payment`);
  expect([refused.status, refused.text.includes("Nothing was changed.")]).toEqual([409, true]);
});

test("a viewer sees what waits and can do nothing about it", async () => {
  const { visitor } = await signedIn(worker, shop, "VIEWER");
  const { text } = await visitor.get("/to-do");
  expect([text.includes("Failed payments"), text.includes("/do/")]).toEqual([true, false]);
  expect((await visitor.get(`/do/settle-uncharged?id=${review}`)).status).toBe(403);
  expect((await visitor.post("/do/settle-uncharged", { id: review, confirm: "1" })).status).toBe(403);
});
