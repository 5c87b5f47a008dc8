/** The catalogue, the offers before a cancellation, closed days, and the keys of the store and of mails have their forms. */
import { beforeAll, expect, test } from "vitest";
import { inDays, type Json, openShop, type Shop } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { fieldsIn } from "../portal/visitor.ts";
import { signedIn } from "./member.ts";

const worker = useWorker();
let shop: Shop;
let visitor: Awaited<ReturnType<typeof signedIn>>["visitor"];
beforeAll(async () => {
  shop = await openShop();
  ({ visitor } = await signedIn(worker, shop));
});

/** Sends what is filled in of a form, and then its preview. */
async function carryOut(name: string, params: Record<string, string>, texts: Record<string, string>) {
  const action = `${visitor.base}/do/${name}`;
  const form = await visitor.get(`/do/${name}?${new URLSearchParams(params)}`);
  expect([name, form.status, hasConfirm(form.text) || form.text.includes("Preview")]).toEqual([
    name,
    200,
    true,
  ]);
  const preview = hasConfirm(form.text)
    ? form
    : await visitor.post(action, { ...params, ...filledIn(form.text), ...texts });
  if (preview.status !== 200) return preview;
  return visitor.post(action, hiddenIn(preview.text, action));
}

function hasConfirm(html: string): boolean {
  return html.includes('name="confirm"');
}

function hiddenIn(html: string, action: string): Record<string, string> {
  const form = html.slice(html.indexOf(`action="${action}"`));
  const inputs = form.slice(0, form.indexOf("</form>")).matchAll(/name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries([...inputs].map(([, name, value]) => [name, value]));
}

/** The values that a form is filled in with, but boxes that are not ticked. */
function filledIn(html: string): Record<string, string> {
  const inputs = html.matchAll(/<input(?![^>]*type="checkbox")[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g);
  const boxes = html.matchAll(/<input type="checkbox" name="([^"]+)" value="([^"]*)" checked/g);
  const chosen = html.matchAll(
    /<select name="([^"]+)"(?:(?!<\/select>).)*<option value="([^"]*)" selected/gs,
  );
  return Object.fromEntries([...inputs, ...boxes, ...chosen].map(([, name, value]) => [name, value]));
}

async function get(path: string): Promise<Json> {
  return (await worker.call<Json>(shop.api, "GET", path)).body.data;
}

test("an item of the catalogue is added, changed and removed, and the others stay", async () => {
  const path = "/api/account/portal/catalogue";
  for (const id of ["a", "b"]) {
    const item = { product_title: `Tea ${id}`, store_product_id: id, store_variant_id: id, price: "4.5" };
    expect((await carryOut("add-item", {}, item)).status).toBe(303);
  }
  expect((await carryOut("edit-item", { id: "a" }, { price: "5" })).status).toBe(303);
  const prices = (await get(path)).items.map(({ product_title, price }: Json) => [product_title, price]);
  expect(prices).toEqual([
    ["Tea a", 5],
    ["Tea b", 4.5],
  ]);
  const { text } = await visitor.get("/do/remove-item?id=a");
  expect(text).toContain("Tea a");
  expect((await carryOut("remove-item", { id: "a" }, {})).status).toBe(303);
  expect((await get(path)).items).toHaveLength(1);
  expect((await visitor.get("/do/edit-item?id=a")).status).toBe(404);
  expect((await visitor.get("/settings/catalogue")).text).toContain("Tea b");
});

const offers: [kind: string, texts: Record<string, string>, terms: object][] = [
  ["pause", { "terms.max_days": "30" }, { max_days: 30 }],
  ["skip", { "terms.deliveries": "2" }, { deliveries: 2 }],
  [
    "discount",
    { "terms.value_type": "PERCENTAGE", "terms.value": "20", "terms.cycles": "3", "terms.max_amount": "10" },
    { value_type: "PERCENTAGE", value: 20, cycles: 3, max_amount: 10 },
  ],
  [
    "frequency",
    { options: "2 months, 8 WEEK" },
    {
      options: [
        { interval: "MONTH", interval_count: 2 },
        { interval: "WEEK", interval_count: 8 },
      ],
    },
  ],
  [
    "swap",
    {
      "terms.from_variant_id": "1",
      "to.product_title": "Tea",
      "to.store_product_id": "2",
      "to.store_variant_id": "3",
    },
    { from_variant_id: "1", to: { product_title: "Tea", store_product_id: "2", store_variant_id: "3" } },
  ],
];

test.each(offers)("an offer of a %s is added, changed and removed", async (kind, texts, terms) => {
  const path = "/api/account/cancellation-flow";
  const before = (await get(path)).offers.length;
  expect((await carryOut(`add-${kind}-offer`, {}, { "label.en": "Stay", ...texts })).status).toBe(303);
  const added = (await get(path)).offers.at(-1);
  expect(added).toMatchObject({ kind: kind.toUpperCase(), label: { en: "Stay" }, terms });
  const { id } = added;
  const label = { en: "Stay with us", de: "Bleib", fr: null, es: null };
  const body = { offers: [...(await get(path)).offers.slice(0, -1), { ...added, label }] };
  await worker.call(shop.api, "PUT", path, { body });
  expect((await carryOut(`edit-${kind}-offer`, { id }, { "label.en": "Please stay" })).status).toBe(303);
  const changed = (await get(path)).offers.find((one: Json) => one.id === id);
  expect([changed.label.en, changed.label.de]).toEqual(["Please stay", "Bleib"]);
  expect(changed.terms).toMatchObject(terms);
  expect((await visitor.get("/settings/offers")).text).toContain("Please stay");
  expect((await carryOut("remove-offer", { id }, {})).status).toBe(303);
  expect((await get(path)).offers).toHaveLength(before);
});

test("the rules of offers are changed without the offers", async () => {
  expect((await carryOut("edit-offers", {}, { cooldown_days: "90" })).status).toBe(303);
  expect((await get("/api/account/cancellation-flow")).cooldown_days).toBe(90);
});

test("closed days are changed, and the preview says how many dates move", async () => {
  const body = { label: "Holidays", from: inDays(30), to: inDays(31), rule: "later" };
  const made = await worker.call<Json>(shop.api, "POST", "/api/subscriptions/closed-days", { body });
  const { id } = made.body.data;
  const action = `${visitor.base}/do/edit-closed-day`;
  const preview = await visitor.post(action, {
    id,
    label: "Holidays",
    from: inDays(30),
    to: inDays(33),
    rule: "later",
  });
  expect([preview.status, preview.text.includes("Subscriptions whose dates move")]).toEqual([200, true]);
  expect((await visitor.post(action, fieldsIn(preview.text, action))).status).toBe(303);
  expect((await get(`/api/subscriptions/closed-days/${id}`)).to).toBe(inDays(33));
});

test("a mail provider is set with its keys, and no page repeats a key, nor one that was refused", async () => {
  const support = await signedIn(worker, shop, "SUPPORT");
  const key = "re_Secret0123456789";
  const form = { from_address: "hello@shop.example", "credentials.api_key": key };
  const set = await visitor.post("/do/mail-by-resend", form);
  expect(set.status).toBe(303);
  expect(await get("/api/account/mail")).toMatchObject({ provider: "resend", has_credentials: true });
  expect((await visitor.get("/settings/mail")).text).not.toContain(key);
  const refused = await visitor.post("/do/mail-by-resend", { ...form, from_address: "nobody" });
  expect([refused.status, refused.text.includes(key)]).toEqual([400, false]);
  const stripe = await visitor.post("/do/connect-store", {
    secret_key: "sk_nonsense!",
    publishable_key: "pk",
  });
  expect([stripe.status, stripe.text.includes("sk_nonsense")]).toEqual([400, false]);
  expect((await support.visitor.post("/do/connect-store", { secret_key: "x" })).status).toBe(403);
});
