/** The portal's pages lead from the offers to leaving, and never past a change unseen. */
import { beforeAll, describe, expect, test } from "vitest";
import { caseRows, offers, open, opened, setFlow, take } from "../../domain/cancellation/leaving.ts";
import { usageOf } from "../../support/records.ts";
import { addReason, done, itemOf, type Json, read, subscribe } from "../../support/shops.ts";
import { useShop } from "../../support/worker.ts";
import { fieldsIn, linkFor, openVisitor } from "./visitor.ts";

const { shop, worker } = useShop();
let visitor: ReturnType<typeof openVisitor>;

beforeAll(async () => {
  await worker.call(shop.api, "PUT", "/api/account/portal", { body: { is_enabled: true } });
  visitor = openVisitor(worker, shop);
  await visitor.enter((await linkFor(worker, shop, { locale: "en" })).url);
});

test("the first page has the button that cancels, and makes no promise of offers where there are none; it takes two trips", async () => {
  const id = await subscribe(shop);
  const { answer, db_round_trips } = await usageOf(() => visitor.get(`/subscriptions/${id}/cancel`));
  expect(answer.text).toContain('<button class="danger" name="confirm" value="1">Cancel subscription');
  expect(answer.text).not.toContain("offers");
  expect(db_round_trips).toBeLessThanOrEqual(2);
  await visitor.post(`/subscriptions/${id}/cancel`, { confirm: "1", key: `straight-${id}` });
  expect((await read(shop, id)).status).toBe("CANCELLED");
});

test.each([
  ["en", { "Next delivery": "None", "Next charge": "None", Amount: "Nothing" }],
  ["de", { "Nächste Lieferung": "Keine", "Nächste Zahlung": "Keine", Betrag: "Nichts" }],
  ["fr", { "Prochaine livraison": "Aucune", "Prochain paiement": "Aucun", Montant: "Rien" }],
  ["es", { "Próxima entrega": "Ninguna", "Próximo cobro": "Ninguno", Importe: "Nada" }],
])("the comparison says in %s that nothing comes and nothing is charged afterwards", async (locale, rows) => {
  const id = await subscribe(shop);
  const reader = openVisitor(worker, shop);
  await reader.enter((await linkFor(worker, shop, { locale })).url);
  const { text } = await reader.get(`/subscriptions/${id}/cancel`);
  for (const [label, after] of Object.entries(rows)) {
    const row = text.slice(text.indexOf(`<dt>${label}</dt><dd><span`));
    expect(row.slice(0, row.indexOf("</dd>"))).toContain(`<strong>${after}</strong>`);
  }
});

test("what was shown is what is cancelled, whatever reason is typed beside it; what has changed meanwhile is shown anew", async () => {
  const id = await subscribe(shop);
  const path = `${visitor.base}/subscriptions/${id}/cancel`;
  const shown = fieldsIn((await visitor.get(`/subscriptions/${id}/cancel`)).text, path);
  await done(shop.api, "PUT", id, "frequency", { interval: "week", interval_count: 5 });
  const changed = await visitor.post(path, { ...shown, confirm: "1", reason: "Too much" });
  expect(changed.status).toBe(409);
  expect(changed.text).toContain("This has changed since you looked");
  expect((await read(shop, id)).status).toBe("ACTIVE");
  const anew = fieldsIn((await visitor.get(`/subscriptions/${id}/cancel`)).text, path);
  expect(anew.preview).not.toBe(shown.preview);
  expect((await visitor.post(path, { ...anew, confirm: "1", reason: "Too much" })).status).toBe(303);
  expect(await read(shop, id)).toMatchObject({ status: "CANCELLED", cancellation_reason: "Too much" });
});

test("the page of what has ended names no amount", async () => {
  const id = await subscribe(shop);
  const amount = /\$\d+\.\d\d<\/span>|<dt>Amount<\/dt>/;
  expect((await visitor.get(`/subscriptions/${id}`)).text).toMatch(amount);
  await visitor.post(`/subscriptions/${id}/cancel`, { confirm: "1", key: `ended-${id}` });
  const { text } = await visitor.get(`/subscriptions/${id}`);
  expect(text).toContain("<dt>Next charge</dt><dd>None</dd>");
  expect(text).not.toMatch(amount);
});

test("the next step opens the case and shows its offers; one is taken once, and one that is gone leads back to the first page", async () => {
  await setFlow(shop, [offers.DISCOUNT, offers.PAUSE]);
  const reason = await addReason(shop, "cancellation", { label: "Too dear" });
  const id = await subscribe(shop);
  const form = { offers_for: reason, reason: "Really" };
  const page = await visitor.post(`/subscriptions/${id}/cancel`, form);
  expect(page.status).toBe(200);
  expect(page.text).toContain("20 % off");
  expect(page.text).toContain("$8.00");
  expect(page.text).toContain("At most $5.00 less for each charge.");
  const [opened] = await caseRows(id);
  expect(opened).toMatchObject({ status: "OPEN", cancellation_reason_id: reason, note: "Really" });
  const path = `${visitor.base}/subscriptions/${id}/cancel/${opened.id}`;
  const fields = fieldsIn(page.text, path);
  const answers = [await visitor.post(path, fields), await visitor.post(path, fields)];
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect((await visitor.get(`/subscriptions/${id}`)).text).toContain("Thank you. It’s done as you chose.");
  expect((await read(shop, id)).discounts).toHaveLength(1);
  const gone = await visitor.post(path, { ...fields, key: "another-tab" });
  expect(gone.status).toBe(409);
  expect(gone.text).toContain("This is no longer on offer. You can still cancel.");
  expect(gone.text).toContain("Cancel subscription");
});

test.each([
  ["en", "This price is for 3. More of it is at the shop’s usual price."],
  ["de", "Dieser Preis gilt für 3 Stück. Mehr davon kostet den üblichen Preis des Shops."],
  ["fr", "Ce prix vaut pour une quantité de 3. Au-delà, le prix habituel de la boutique s’applique."],
  ["es", "Este precio es para 3. A partir de ahí se aplica el precio habitual de la tienda."],
])("the card of another product says in %s for how many its price is", async (locale, sentence) => {
  await setFlow(shop, [offers.SWAP], { cooldown_days: 0 });
  const id = await subscribe(shop, { lines: [itemOf(shop.plan, { quantity: 3 })] });
  const reader = openVisitor(worker, shop);
  await reader.enter((await linkFor(worker, shop, { locale })).url);
  expect((await reader.post(`/subscriptions/${id}/cancel`, {})).text).toContain(sentence);
});

test("offers whose contents have changed lead back to the first page, and are shown anew from there", async () => {
  await setFlow(shop, [offers.DISCOUNT], { cooldown_days: 0 });
  const id = await subscribe(shop);
  const page = await visitor.post(`/subscriptions/${id}/cancel`, {});
  const [{ id: caseId }] = await caseRows(id);
  const path = `${visitor.base}/subscriptions/${id}/cancel/${caseId}`;
  await done(shop.api, "POST", id, "lines", itemOf(shop.plan, { store_variant_id: "variant-2", price: 90 }));
  const late = await visitor.post(path, fieldsIn(page.text, path));
  expect([late.status, late.text.includes("This is no longer on offer. You can still cancel.")]).toEqual([
    409,
    true,
  ]);
  const { text } = await visitor.post(`/subscriptions/${id}/cancel`, {});
  expect(text).toContain("$95.00");
});

test("where nothing is on offer any more the next step says so, with the button that cancels", async () => {
  const reason = await addReason(shop, "cancellation");
  await setFlow(shop, [{ ...offers.DISCOUNT, cancellation_reason_ids: [reason] }], { cooldown_days: 0 });
  const id = await subscribe(shop);
  const { text } = await visitor.post(`/subscriptions/${id}/cancel`, {});
  expect(text).toContain("This is no longer on offer. You can still cancel.");
  expect(text).toContain("Cancel subscription");
});

/** The offers that the first page shows under each reason, by the reason's id; those for no reason by the empty one. */
function shownOffers(text: string): Record<string, string[]> {
  const blocks = text.matchAll(
    /<ul>((?:<li>.*?<\/li>)+)<\/ul>\s*<button class="quiet" name="offers_for" value="([^"]*)"/gs,
  );
  return Object.fromEntries(
    [...blocks].map(([, rows = "", reason]) => [
      reason,
      [...rows.matchAll(/<li>(.*?)<br>/g)].map(([, label]) => label),
    ]),
  );
}

describe("the offers under a reason", () => {
  const madeFor = async (id: string, body: object) => {
    const answer = await open(shop.customer, id, body, { dry_run: true });
    return answer.body.data.offers.map(({ label }: Json) => label.en);
  };

  test("are those that opening a case for it makes, each with what it does; nothing is opened by looking", async () => {
    const [dear, bored, moved] = await Promise.all(
      ["Too dear", "Bored", "Moved"].map((label) => addReason(shop, "cancellation", { label })),
    );
    await setFlow(
      shop,
      [
        { ...offers.DISCOUNT, cancellation_reason_ids: [dear] },
        { ...offers.SWAP, cancellation_reason_ids: [bored] },
        { ...offers.PAUSE, cancellation_reason_ids: [dear, bored] },
        { ...offers.FREQUENCY, cancellation_reason_ids: [dear] },
      ],
      { cooldown_days: 0 },
    );
    const id = await subscribe(shop);
    const { answer, db_round_trips } = await usageOf(() => visitor.get(`/subscriptions/${id}/cancel`));
    expect(db_round_trips, "two for the page, two for the offers").toBeLessThanOrEqual(4);
    const shown = shownOffers(answer.text);
    expect(Object.keys(shown).sort()).toEqual([dear, bored].sort());
    for (const reason of [dear, bored])
      expect(shown[reason!]).toEqual(await madeFor(id, { cancellation_reason_id: reason }));
    expect(await madeFor(id, { cancellation_reason_id: moved })).toEqual([]);
    expect(await madeFor(id, {})).toEqual([]);
    expect(answer.text).toContain("Amount: $8.00");
    expect(await caseRows(id)).toEqual([]);
  });

  test("are not there within the cooldown, nor a way to them", async () => {
    await setFlow(shop, [offers.DISCOUNT, offers.PAUSE], { per: "subscription", cooldown_days: 180 });
    const id = await subscribe(shop);
    expect(shownOffers((await visitor.get(`/subscriptions/${id}/cancel`)).text)[""]).toEqual([
      "20 % off",
      "Take a break",
    ]);
    await take(shop.customer, id, "DISCOUNT");
    const { text } = await visitor.get(`/subscriptions/${id}/cancel`);
    expect(await madeFor(id, {})).toEqual([]);
    expect(text).not.toContain("offers");
    expect(text).toContain("Cancel subscription");
  });

  test("are those of the case that is open, whatever the flow has become", async () => {
    await setFlow(shop, [offers.DISCOUNT], { cooldown_days: 0 });
    const id = await subscribe(shop);
    await opened(shop.customer, id);
    await setFlow(shop, [offers.PAUSE], { cooldown_days: 0 });
    expect(shownOffers((await visitor.get(`/subscriptions/${id}/cancel`)).text)[""]).toEqual(["20 % off"]);
    expect(await madeFor(id, {})).toEqual(["20 % off"]);
  });
});
