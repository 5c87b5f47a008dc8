/** The portal speaks the language that its customer chose or first came with, and reasons are kept in all. */
import { beforeEach, describe, expect, test } from "vitest";
import { log, postboxOf } from "../../domain/mail/postbox.ts";
import { nobody } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { done, type Json, openShop, type Shop, subscribe } from "../../support/shops.ts";
import { later, linked, useWorker } from "../../support/worker.ts";
import { linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
  await switchOn(worker, shop);
});

async function localeOf({ admin, profileId }: Shop): Promise<string | null> {
  const { status, body } = await worker.call<Json>(admin, "GET", `/api/profiles/${profileId}`);
  expect(status).toBe(200);
  return (body.data ?? body).locale;
}

/** The entries of the profile's changes, oldest first. */
async function changesOf({ api, profileId }: Shop): Promise<Json[]> {
  const query = { types: "profile.updated" };
  const { body } = await worker.call<Json>(api, "GET", "/api/events", { query });
  return body.data.filter((event: Json) => event.subject.id === profileId);
}

async function signIn(link: object = {}, headers: Record<string, string> = {}) {
  const visitor = openVisitor(worker, shop);
  const { url } = await linkFor(worker, shop, link);
  const token = new URL(url).searchParams.get("token")!;
  const { status } = await visitor.post("/enter", { token }, { Origin: new URL(url).origin, ...headers });
  expect(status).toBe(303);
  return visitor;
}

describe("the language of the portal that a customer first signs in to", () => {
  test("becomes theirs, once, with an entry in the history", async () => {
    await signIn({ locale: "de" });
    expect(await localeOf(shop)).toBe("de");
    await signIn({ locale: "de" });
    await signIn({ locale: "fr" });
    expect(await localeOf(shop)).toBe("de");
    expect(await changesOf(shop)).toMatchObject([
      { actor_type: "customer", metadata: { fields: ["locale"] } },
    ]);
  });

  test("is their browser's where the link names none, and nobody's where that names none either", async () => {
    await signIn();
    expect(await localeOf(shop)).toBeNull();
    await signIn({}, { "Accept-Language": "nl;q=0.9, es;q=0.5" });
    expect(await localeOf(shop)).toBe("es");
  });

  test("does not replace what the shop has set", async () => {
    await worker.call(shop.admin, "PUT", `/api/profiles/${shop.profileId}`, { body: { locale: "fr" } });
    await signIn({ locale: "de" });
    expect(await localeOf(shop)).toBe("fr");
  });

  test("is what mails then speak", async () => {
    const postbox = postboxOf(shop, worker);
    await postbox.set(log);
    await signIn({ locale: "de" });
    const id = await linked(shop, worker, { next_delivery_date: "2030-01-20" });
    await done(shop.api, "POST", id, "cancel");
    await later(worker, 400);
    const [mail] = await postbox.list({ kind: "changed" });
    expect((await postbox.content(mail)).html).toContain('<html lang="de"');
  });
});

describe("the language that a customer chooses in the portal", () => {
  test("is that of its pages at once, and of the profile, once", async () => {
    const visitor = await signIn({ locale: "de" });
    const form = { first_name: "Ada", last_name: "", phone_number: "", locale: "es" };
    await visitor.post("/profile", form);
    const { text } = await visitor.get("/profile");
    expect(text).toContain('<html lang="es"');
    expect(text).toContain('value="es" checked');
    expect(await localeOf(shop)).toBe("es");
    await visitor.post("/profile", form);
    expect(await changesOf(shop)).toHaveLength(2);
  });

  test("is one that there is: others are left aside", async () => {
    const visitor = await signIn({ locale: "de" });
    await visitor.post("/profile", { first_name: "Ada", locale: "tlh" });
    expect(await localeOf(shop)).toBe("de");
    expect(await select("SELECT locale FROM portal_sessions WHERE profile_id = ?", shop.profileId)).toEqual([
      { locale: "de" },
    ]);
  });
});

describe("a reason", () => {
  const choicesIn = (text: string) =>
    [...text.matchAll(/type="radio".*?<span>(.*?)<\/span>/g)].map(([, label]) => label);

  test.each([
    ["skip", "skip"],
    ["pause", "pause"],
    ["cancellation", "cancel"],
  ])("to %s is offered in the customer's language, or else as the shop calls it", async (kind, action) => {
    const add = (body: object) =>
      worker.call<Json>(shop.api, "POST", `/api/subscriptions/${kind}-reasons`, { body });
    await add({ label: "Away", labels: { de: "Verreist", fr: "En voyage" } });
    await add({ label: "Other" });
    const id = await subscribe(shop);
    for (const [locale, away] of [
      ["en", "Away"],
      ["de", "Verreist"],
      ["fr", "En voyage"],
      ["es", "Away"],
    ]) {
      const { text } = await (await signIn({ locale })).get(`/subscriptions/${id}/${action}`);
      expect(choicesIn(text).slice(-2), locale).toEqual([away, "Other"]);
    }
  });

  test("of a skip is kept in every language that it had then", async () => {
    const path = "/api/subscriptions/skip-reasons";
    const created = await worker.call<Json>(shop.api, "POST", path, {
      body: { label: "Away", labels: { de: "Verreist" } },
    });
    const { id: skip_reason_id } = created.body.data;
    const id = await subscribe(shop);
    await done(shop.customer, "POST", id, "skip", { skip_weeks: 1, skip_reason_id });
    await worker.call(shop.api, "PUT", `${path}/${skip_reason_id}`, {
      body: { labels: null, label: "Gone" },
    });
    const { body } = await worker.call<Json>(shop.customer, "GET", `/api/subscriptions/${id}/skips`);
    expect(body.data).toMatchObject([{ skip_reason_label: "Away", skip_reason_labels: { de: "Verreist" } }]);
    const listed = await worker.call<Json>(shop.customer, "GET", path);
    expect(listed.body).toMatchObject([{ data: { label: "Gone" } }]);
  });

  test("of the public look-up has its labels in the shape of the list", async () => {
    const path = "/api/subscriptions/skip-reasons";
    const { body } = await worker.call<Json>(shop.api, "POST", path, {
      body: { label: "Away", labels: { es: "Fuera" } },
    });
    const query = { shop: shop.of.account.shop };
    const listed = await worker.call<Json>(nobody, "GET", "/api/public/portal/skip-reasons", { query });
    expect(listed.body).toEqual([body]);
  });
});
