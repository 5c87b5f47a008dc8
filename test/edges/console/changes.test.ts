/** Staff change a subscription in three steps, the last with Undo; what has changed meanwhile is told, and done by nobody unseen. */
import { beforeAll, describe, expect, test } from "vitest";
import { subscriptionSubject } from "../../../src/edges/console/pages/changes/subscription-changes.ts";
import { states } from "../../domain/billing/upcoming-states.ts";
import { usageOf } from "../../support/records.ts";
import { itemOf, type Json, openShop, read, type Shop, subscribe } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { fieldsIn } from "../portal/visitor.ts";
import { signedIn } from "./member.ts";

const worker = useWorker();
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});

async function open(role = "SUPPORT") {
  const id = await subscribe(shop);
  const { visitor } = await signedIn(worker, shop, role, { name: `${role} Sam` });
  return { id, visitor, path: `${visitor.base}/subscriptions/${id}` };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** Sends a form, and what the preview then has for confirmation. */
async function change({ visitor, path }: Opened, name: string, form: Record<string, string>) {
  const preview = await visitor.post(`${path}/${name}`, form);
  const fields = fieldsIn(preview.text, `${path}/${name}`);
  return { preview, fields, confirm: () => visitor.post(`${path}/${name}`, fields) };
}

test("support skips the next box, sees its effects before, and takes it back", async () => {
  const opened = await open();
  const { visitor, id, path } = opened;
  const before = await read(shop, id);
  const form = await visitor.get(`${path}/skip`);
  expect(form.text).toContain("as an API call");
  const { preview, confirm } = await change(opened, "skip", { count: "1" });
  expect([
    preview.status,
    preview.text.includes("Before"),
    (await read(shop, id)).next_delivery_date,
  ]).toEqual([200, true, before.next_delivery_date]);
  expect(preview.text).toContain("skip-deliveries");
  const done = await confirm();
  expect(done.status).toBe(303);
  const skipped = await read(shop, id);
  expect(skipped.next_delivery_date > before.next_delivery_date).toBe(true);
  const page = await visitor.get(done.headers.get("Location")!);
  expect(page.text).toContain("Undo is possible until");
  expect(page.text).toContain("SUPPORT Sam");
  const undone = await visitor.post(`${path}/undo`, fieldsIn(page.text, `${path}/undo`));
  expect(undone.status).toBe(303);
  expect((await read(shop, id)).next_delivery_date).toBe(before.next_delivery_date);
  expect((await visitor.get(undone.headers.get("Location")!)).text).toContain("It is as it was before.");
});

test("of two members of staff the second reads who has changed what, and sees the preview anew", async () => {
  const opened = await open();
  const { visitor: other } = await signedIn(worker, shop, "MANAGER", { name: "Mara Manager" });
  const { confirm } = await change(opened, "skip", { count: "1" });
  const second = { ...opened, visitor: other };
  await (await change(second, "skip", { count: "1" })).confirm();
  const refused = await confirm();
  expect(refused.status).toBe(409);
  expect(refused.text).toMatch(/Mara Manager changed this subscription just now: subscription skipped\./);
  const anew = await other.post(`${opened.path}/skip`, fieldsIn(refused.text, `${opened.path}/skip`));
  expect(anew.status).toBe(303);
});

test("a change that is no longer possible is refused beside its form, with who has changed it", async () => {
  const opened = await open();
  const { confirm } = await change(opened, "pause", {});
  const { visitor: other } = await signedIn(worker, shop, "OWNER", { name: "Olga Owner" });
  await (await change({ ...opened, visitor: other }, "cancel", {})).confirm();
  const refused = await confirm();
  expect(refused.status).toBe(409);
  expect(refused.text).toContain("Olga Owner changed this subscription just now");
  expect(refused.text).toContain("Nothing was changed");
});

const forms: [name: string, form: Record<string, string>][] = [
  ["pause", {}],
  ["frequency", { interval: "WEEK", interval_count: "6" }],
  ["instructions", { delivery_instructions: "Leave it with the neighbour" }],
  ["address", { address1: "Other Street 1", zip: "10115", city: "Berlin", country_code: "DE" }],
  ["discount", { title: "Sorry", value_type: "PERCENTAGE", value: "10", target_type: "ORDER" }],
  ["cancel", {}],
];

describe.each(forms)("%s", (name, form) => {
  test("is shown, done once however often it is sent, and undone from the timeline", async () => {
    const opened = await open();
    const { visitor, path, id } = opened;
    const before = await read(shop, id);
    expect((await visitor.get(`${path}/${name}`)).status).toBe(200);
    const { preview, confirm } = await change(opened, name, form);
    expect([preview.status, await read(shop, id)]).toEqual([200, before]);
    const [first, again] = [await confirm(), await confirm()];
    expect([first.status, again.status]).toEqual([303, 303]);
    expect([first, again].map(({ headers }) => headers.get("Location"))).toEqual(
      Array(2).fill(expect.stringContaining(`done=${name}`)),
    );
    const page = await visitor.get(path);
    const [, entry = ""] = /undo\?entry_id=([0-9a-f-]+)/.exec(page.text) ?? [];
    const undo = await visitor.get(`${path}/undo?entry_id=${entry}`);
    await visitor.post(`${path}/undo`, fieldsIn(undo.text, `${path}/undo`));
    const after = await read(shop, id);
    expect({ ...after, updated_at: "" }).toEqual({ ...before, updated_at: "", discounts: after.discounts });
    expect((await visitor.get(path)).text).not.toContain(`entry_id=${entry}`);
  });
});

test("an item is added, changed and removed", async () => {
  const opened = await open();
  const { id, path, visitor } = opened;
  const { lines } = await read(shop, id);
  const item = {
    product_title: "Tea",
    store_product_id: "7",
    store_variant_id: "8",
    price: "5",
    quantity: "2",
  };
  const plan = { selling_plan_id: lines[0].selling_plan_id, is_one_time: "false" };
  expect((await visitor.get(`${path}/add`)).text).toContain(lines[0].selling_plan_id);
  await (await change(opened, "add", { ...item, ...plan })).confirm();
  const added = (await read(shop, id)).lines.find(({ product_title }: Json) => product_title === "Tea");
  expect([added.quantity, added.price]).toEqual([2, 5]);
  expect((await visitor.get(`${path}/line?line=${added.id}`)).text).toContain('value="2"');
  await (await change(opened, "line", { line: added.id, quantity: "3", price: "4" })).confirm();
  expect((await read(shop, id)).lines.at(-1)).toMatchObject({ quantity: 3, price: 4 });
  const remove = await visitor.get(`${path}/remove-line?line=${added.id}`);
  await visitor.post(`${path}/remove-line`, fieldsIn(remove.text, `${path}/remove-line`));
  expect((await read(shop, id)).lines).toHaveLength(lines.length);
});

test("what the API refuses is told beside the form, with the field it is about", async () => {
  const opened = await open();
  const { preview } = await change(opened, "skip", { count: "99999" });
  expect([preview.status, preview.text.includes('aria-invalid="true"')]).toEqual([400, true]);
});

test("a page shows three buttons at most; whoever may only read sees none, and is refused", async () => {
  const opened = await open("VIEWER");
  const { visitor, path } = opened;
  const { text } = await visitor.get(path);
  expect([text.includes(`${path}/skip`), text.includes('class="more"')]).toEqual([false, false]);
  expect((await visitor.get(`${path}/skip`)).status).toBe(403);
  expect((await visitor.post(`${path}/skip`, { count: "1" })).status).toBe(403);
  expect((await visitor.post(`${path}/skip`, { count: "1", confirm: "1" })).status).toBe(403);
  const support = await open();
  const page = await support.visitor.get(support.path);
  const shown = /<div class="buttons">(.*?)<details/s.exec(page.text)?.[1] ?? "";
  expect(shown.match(/<a /g)).toHaveLength(3);
  expect((await support.visitor.get(`${support.path}/nothing`)).status).toBe(404);
  expect((await support.visitor.get(`${support.path}/toString`)).status).toBe(404);
});

test("the page that cancels says that deliveries which are paid for still come", async () => {
  const { visitor } = await signedIn(worker, shop, "SUPPORT");
  const prepaid = {
    ...{ id: crypto.randomUUID(), name: "Prepaid", billing_interval: "MONTH", billing_interval_count: 3 },
    ...{ delivery_interval: "MONTH", delivery_interval_count: 1 },
  };
  await worker.call(shop.api, "POST", "/api/subscriptions/selling-plans", { body: prepaid });
  const id = await subscribe(shop, { lines: [itemOf(prepaid.id)] });
  const { text } = await visitor.get(`/subscriptions/${id}/cancel`);
  expect(text).toContain("Nothing is charged any more. Deliveries that are paid for still come.");
  const plain = await visitor.get(`/subscriptions/${await subscribe(shop)}/cancel`);
  expect(plain.text).toContain("Nothing is delivered or charged any more.");
});

test("each page of a change takes two trips and 40 KB at most, and runs no code", async () => {
  const { visitor, path, id } = await open("OWNER");
  const [line] = (await read(shop, id)).lines;
  const changes = Object.entries(subscriptionSubject.forms);
  const shown = [...changes.flatMap(([name, { fields }]) => (fields ? [name] : [])), "ship-now"];
  const asks = [
    ...shown.map((name) => () => visitor.get(`${path}/${name}?line=${line.id}`)),
    ...forms.map(
      ([name, form]) =>
        () =>
          visitor.post(`${path}/${name}`, form),
    ),
  ];
  const trips: [string | undefined, number][] = [];
  for (const ask of asks) {
    const { answer, db_round_trips } = await usageOf(ask);
    trips.push([/<title>([^·]*)/.exec(answer.text)?.[1], db_round_trips]);
    expect(answer.text.length).toBeLessThan(40 * 1024);
    expect(answer.text).not.toMatch(/<script(?! src="\/assets\/console\.js")|<[^>]* on\w+=|style="/);
  }
  expect(trips.filter(([title, count]) => title === undefined || count > 2)).toEqual([]);
  const owing = await subscribe(shop);
  await states["in dunning"]?.enter({ shop, worker, id: owing, days: 0, shipsNow: false });
  const retry = await usageOf(() => visitor.get(`/subscriptions/${owing}/retry-payment`));
  expect([retry.answer.text.includes("Charged now"), retry.db_round_trips]).toEqual([true, 2]);
  const counted = await visitor.post(`${path}/skip`, { count: "1" });
  expect(counted.text).toMatch(/To do <span class="count">\d/);
});
