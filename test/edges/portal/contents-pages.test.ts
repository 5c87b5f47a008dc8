/** A customer changes the contents on the portal's pages, sees each change before, and can undo it. */
import { beforeEach, describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { usageOf } from "../../support/records.ts";
import {
  addPlan,
  entriesOf,
  force,
  itemOf,
  type Json,
  openShop,
  read,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { useWorker } from "../../support/worker.ts";
import { fieldsIn, linkFor, openVisitor, switchOn } from "./visitor.ts";

/** Customers change what is in a subscription on its pages, among the items of the shop's catalogue. */

const worker = useWorker();
const allowed = { can_change_quantity: true, can_swap: true, can_add: true, can_remove: true };

let shop: Shop;
let id: string;
let line: string;
let visitor: ReturnType<typeof openVisitor>;
beforeEach(async () => {
  shop = await openShop();
  await switchOn(worker, shop, allowed);
  await list([
    item("variant-1", { price: 10, image_url: "https://cdn.shop.example/kibble.webp" }),
    item("variant-2", {
      price: 25,
      is_one_time_allowed: true,
      image_url: "https://img.other.example/2.webp",
    }),
    item("variant-3", { price: 7.5 }),
  ]);
  id = await subscribe(shop);
  line = (await read(shop, id)).lines[0].id;
  visitor = openVisitor(worker, shop);
  await enter();
});

async function enter(locale = "en"): Promise<void> {
  await visitor.enter((await linkFor(worker, shop, { locale })).url);
}

async function list(items: object[]) {
  const { status, text } = await api(shop.api, "PUT", "/api/account/portal/catalogue", { body: { items } });
  if (status !== 200) throw new Error(text);
}

function item(variant: string, more: object = {}) {
  const title = variant.replace("variant", "Product");
  return { store_product_id: `of-${variant}`, store_variant_id: variant, product_title: title, ...more };
}

function path(part = ""): string {
  return `/subscriptions/${id}${part}`;
}

async function mainOf(part = ""): Promise<string> {
  const { text } = await visitor.get(path(part));
  return text.slice(text.indexOf("<main"), text.indexOf("</main>"));
}

type Form = Record<string, string>;

/** Sends an action's form, then confirms the page that shows its effects. */
async function confirm(name: string, form: Form) {
  const shown = await visitor.post(path(`/${name}`), form);
  expect([name, shown.status]).toEqual([name, 200]);
  const sent = fieldsIn(shown.text, visitor.base + path(`/${name}`));
  const before = await rowsOf(shop.of.account.id);
  expect(await rowsOf(shop.of.account.id), "nothing has happened yet").toBe(before);
  return { shown: shown.text, sent, done: await visitor.post(path(`/${name}`), sent) };
}

/** Presses the button that undoes the last change, if the page has one. */
async function undo(): Promise<boolean> {
  const html = await mainOf();
  const [notice = ""] = /<div class="(?:notice|told)" role="status">[\s\S]*?<\/div>/.exec(html) ?? [];
  const [, action] = /action="([^"]*)"/.exec(notice) ?? [];
  if (action === undefined) return false;
  const { status } = await visitor.post(action, fieldsIn(notice, action));
  expect(status).toBe(303);
  return true;
}

async function contents(): Promise<[string, number, boolean][]> {
  const { lines } = await read(shop, id);
  return lines.map((one: Json) => [one.store_variant_id, one.quantity, one.is_one_time]);
}

const was: [string, number, boolean][] = [["variant-1", 1, false]];

describe("each change is shown first, done once however often it is confirmed, and undone", () => {
  const cases: [name: string, form: () => Form, shows: string[], becomes: [string, number, boolean][]][] = [
    ["quantity", () => ({ line, quantity: "3" }), ["3 × Kibble", "$30.00"], [["variant-1", 3, false]]],
    [
      "swap",
      () => ({ line, store_variant_id: "variant-2" }),
      ["1 × Product-2", "$25.00"],
      [["variant-2", 1, false]],
    ],
    [
      "add",
      () => ({ store_variant_id: "variant-3", quantity: "2" }),
      ["2 × Product-3", "$15.00", "$25.00"],
      [...was, ["variant-3", 2, false]],
    ],
    [
      "add",
      () => ({ store_variant_id: "variant-2", quantity: "1", is_one_time: "1" }),
      ["1 × Product-2 (in the next delivery only)", "$35.00", "only with that one"],
      [...was, ["variant-2", 1, true]],
    ],
  ];
  test.each(cases)("%s", async (name, form, shows, becomes) => {
    const { shown, sent, done } = await confirm(name, form());
    for (const text of shows) expect(shown).toContain(text);
    expect(shown).toMatch(/next charge stays on/);
    expect(done.status).toBe(303);
    expect(await contents()).toEqual(becomes);
    const again = await visitor.post(path(`/${name}`), sent);
    expect(again.status).toBe(303);
    expect(await contents()).toEqual(becomes);
    expect((await entriesOf(id)).filter(({ action }) => action === "lines_changed")).toHaveLength(1);
    expect(await undo()).toBe(true);
    expect(await contents()).toEqual(was);
  });

  test("remove", async () => {
    await confirm("add", { store_variant_id: "variant-3", quantity: "2" });
    const added = (await read(shop, id)).lines[1].id;
    const { text, status } = await visitor.get(path(`/remove?line=${added}`));
    expect([status, text]).toEqual([200, expect.stringContaining("2 × Product-3")]);
    const sent = fieldsIn(text, visitor.base + path("/remove"));
    for (let nth = 0; nth < 2; nth++)
      expect((await visitor.post(path("/remove"), sent)).headers.get("Location")).toBe(visitor.base + path());
    expect(await contents()).toEqual(was);
    expect(await undo()).toBe(true);
    expect(await contents()).toEqual([...was, ["variant-3", 2, false]]);
  });

  test("a swap is undone at the price that there was, whatever the catalogue has by now", async () => {
    const { total } = await read(shop, id);
    await confirm("swap", { line, store_variant_id: "variant-2" });
    await list([item("variant-1", { price: 12 }), item("variant-2", { price: 25 })]);
    expect(await undo()).toBe(true);
    expect([await contents(), (await read(shop, id)).total]).toEqual([was, total]);
  });
});

describe("nothing is offered that would be refused", () => {
  const links = async () => {
    const html = await mainOf();
    const card = html.slice(html.indexOf('id="contents"'), html.indexOf('id="next"'));
    return [...card.matchAll(/\/(quantity|swap|remove|add)(?:\?line=[\w-]+)?"/g)].map(([, name]) => name);
  };

  test("the last line has no link that removes it, and each link of a page leads on", async () => {
    expect(await links()).toEqual(["quantity", "swap", "add"]);
    for (const name of ["quantity", "swap", "add"])
      expect((await visitor.get(path(`/${name}?line=${line}`))).status).toBe(200);
    await confirm("add", { store_variant_id: "variant-3" });
    expect(await links()).toEqual(["quantity", "swap", "remove", "quantity", "swap", "remove", "add"]);
  });

  test.each(Object.keys(allowed))("without %s", async (setting) => {
    await confirm("add", { store_variant_id: "variant-3" });
    await switchOn(worker, shop, { [setting]: false });
    const name = { can_change_quantity: "quantity", can_swap: "swap", can_add: "add", can_remove: "remove" }[
      setting
    ];
    expect(await links()).not.toContain(name);
    expect((await visitor.get(path(`/${name}?line=${line}`))).status).toBe(403);
  });

  test("an empty catalogue offers nothing but the number", async () => {
    await list([]);
    expect(await links()).toEqual(["quantity"]);
    expect(await mainOf("/add")).toContain("There is nothing to add at the moment.");
  });

  test.each(["CANCELLED", "EXPIRED"])("%s", async (status) => {
    await force(id, { status, next_billing_date: null, next_delivery_date: null });
    expect(await links()).toEqual([]);
  });

  test("an item is only offered once, and only for the next order where the catalogue says so", async () => {
    await confirm("add", { store_variant_id: "variant-2" });
    const html = await mainOf("/add");
    expect(html).not.toContain("Product-1");
    const [, second = ""] = html.split("<h2>Product-2");
    expect(second.slice(0, second.indexOf("</li>"))).not.toContain("Add to every delivery");
    expect(second.slice(0, second.indexOf("</li>"))).toContain("Add once");
  });

  test("what is refused all the same is said on the form, beside the field", async () => {
    await switchOn(worker, shop, { max_quantity: 5 });
    const change = await visitor.post(path("/quantity"), { line, quantity: "6" });
    expect([change.status, change.text]).toEqual([
      400,
      expect.stringContaining('href="#fault-quantity">Quantity: At most 5.</a>'),
    ]);
    const added = await visitor.post(path("/add"), { store_variant_id: "variant-3", quantity: "9" });
    expect(added.status).toBe(400);
    expect(added.text).toMatch(
      /<h2>Product-3<\/h2>[\s\S]*value="9"[^>]*id="fault-quantity" aria-invalid="true"/,
    );
    const gone = await visitor.post(path("/add"), { store_variant_id: "variant-9" });
    expect([gone.status, gone.text]).toEqual([
      400,
      expect.stringContaining("The shop does not offer this for this subscription."),
    ]);
    expect((await visitor.get(path("/quantity"))).status).toBe(404);
    expect((await visitor.get(path(`/swap?line=${crypto.randomUUID()}`))).status).toBe(404);
  });
});

describe("a catalogue of 500 items", () => {
  beforeEach(async () => {
    await list(
      Array.from({ length: 500 }, (_, nth) =>
        item(`variant-${nth}`, {
          product_title: `Züri ${"Geschnetzeltes Rind ".repeat(3)} ${nth}`,
          variant_title: `Packung ${nth % 7} kg`,
          price: 1 + nth / 4,
          is_one_time_allowed: true,
          image_url: `https://cdn.shop.example/${crypto.randomUUID()}/${crypto.randomUUID()}.webp`,
        }),
      ),
    );
  });

  const shown = (html: string) => [...html.matchAll(/<li class="card">/g)].length;

  test("is shown in pages, and found by words in any order, case and page", async () => {
    const first = await mainOf("/add");
    expect([shown(first), first]).toEqual([20, expect.stringContaining("Page 1 of 25")]);
    expect(first).not.toContain("Previous page");
    const last = await mainOf("/add?page=25");
    expect([shown(last), last]).toEqual([20, expect.stringContaining("Page 25 of 25")]);
    expect(await mainOf("/add?page=999")).toContain("Page 25 of 25");
    expect(shown(await mainOf("/add?page=x"))).toBe(20);
    const found = await mainOf("/add?q=RIND+31+z%C3%BCri");
    expect(found).toContain("15 items");
    expect(shown(found)).toBe(15);
    expect(await mainOf("/add?q=nowhere")).toContain("Nothing was found.");
    expect(await mainOf(`/swap?line=${line}&q=kg&page=2`)).toContain(`line=${line}&amp;q=kg&amp;page=3`);
  });

  test("takes two trips to the database and 30 KB at most", async () => {
    for (const part of ["", "/add", "/add?q=rind&page=3", `/swap?line=${line}`, `/quantity?line=${line}`]) {
      const { answer, db_round_trips } = await usageOf(() => visitor.get(path(part)));
      expect([part, answer.status, db_round_trips]).toEqual([part, 200, 2]);
      const packed = new Response(answer.text).body!.pipeThrough(new CompressionStream("gzip"));
      expect((await new Response(packed).arrayBuffer()).byteLength, part).toBeLessThan(20_000);
    }
  });
});

describe("pictures", () => {
  const policyOf = async (part: string) =>
    (await visitor.get(part)).headers.get("Content-Security-Policy") ?? "";

  test("of the catalogue stand with its items, with lines and on the first page, and their origins alone are allowed there", async () => {
    const [own, other] = ["https://cdn.shop.example", "https://img.other.example"];
    const image = `<img class="picture" src="${own}/kibble.webp" alt="Kibble" width="64" height="64" loading="lazy" decoding="async">`;
    expect(await mainOf()).toContain(image);
    expect((await visitor.get()).text).toContain(image);
    for (const part of ["", path()]) {
      expect(await policyOf(part)).toContain(`img-src 'self' ${own};`);
      expect(await policyOf(part)).not.toContain(other);
    }
    expect(await policyOf(path(`/swap?line=${line}`))).toContain(`img-src 'self' ${other};`);
    expect(await policyOf("/profile")).toContain("img-src 'self';");
  });

  test("are listed for a customer's own pages, of their own subscriptions", async () => {
    const { status, body } = await api<Json>(shop.customer, "GET", "/api/portal/me/pictures");
    expect([status, body.data]).toEqual([
      200,
      [{ store_variant_id: "variant-1", image_url: "https://cdn.shop.example/kibble.webp" }],
    ]);
    const { body: lines } = await api<Json>(shop.customer, "GET", `/api/portal/subscriptions/${id}/lines`);
    expect(lines.data.lines[0].image_url).toBe("https://cdn.shop.example/kibble.webp");
  });
});

test.each(["de", "fr", "es"])("in %s", async (locale) => {
  await enter(locale);
  const { goodsTexts } = await import("../../../src/edges/portal/pages/texts/goods.ts");
  const texts = goodsTexts[locale as "de"];
  expect(await mainOf("/add")).toContain(texts.once);
  expect(await mainOf(`/swap?line=${line}`)).toContain(texts.swapFor);
  expect(await mainOf()).toContain(`>${texts.quantity}<`);
});

test("while deliveries are paid for already, only what comes once can be added", async () => {
  const plan = await addPlan(shop, {
    ...{ billing_interval: "MONTH", billing_interval_count: 2, delivery_interval: "MONTH" },
  });
  const named = { selling_plan_ids: [plan], is_one_time_allowed: true };
  await list([item("variant-2", { price: 25, ...named })]);
  id = await subscribe(shop, { lines: [itemOf(plan)] });
  expect(await mainOf("/add")).toContain("Add to every delivery");
  await force(id, { next_index: 1, next_billed_index: 2 });
  const html = await mainOf("/add");
  expect(html).not.toContain("Add to every delivery");
  expect(html).toContain("Add once");
  expect(await mainOf()).not.toMatch(/\/(quantity|swap|remove)\?line=/);
});

test("from a page that asked to sign in first the way leads to the page of the same item", async () => {
  const stranger = openVisitor(worker, shop);
  await stranger.get(path(`/quantity?line=${line}`));
  const { headers } = await stranger.enter((await linkFor(worker, shop)).url);
  expect(headers.get("Location")).toBe(visitor.base + path(`/quantity?line=${line}`));
});
