/** The portal leads to a new card as the shop's store allows it, and offers no way that leads nowhere. */
import { beforeEach, describe, expect, test } from "vitest";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { execute } from "../../support/database.ts";
import { entriesOf, openShop, type Shop, subscribe } from "../../support/shops.ts";
import { startClock, useWorker } from "../../support/worker.ts";
import { fieldsIn, linkFor, openVisitor, switchOn } from "./visitor.ts";

/** Cards that expire are announced on the pages, which lead to every way of paying with another, and to no other. */

function mainIn(html: string): string {
  return html.slice(html.indexOf("<main"), html.indexOf("</main>"));
}

describe("a shop on the sandbox store", () => {
  const worker = useWorker();
  let shop: Shop;
  let id: string;
  let visitor: ReturnType<typeof openVisitor>;
  beforeEach(async () => {
    shop = await openShop();
    await switchOn(worker, shop);
    await startClock(shop, "2030-01-31T10:00:00.000Z");
    id = await subscribe(shop, { next_delivery_date: "2030-02-03" });
    visitor = openVisitor(worker, shop);
    await enter();
  });

  async function enter(locale = "en"): Promise<void> {
    await visitor.enter((await linkFor(worker, shop, { locale })).url);
  }

  async function mainOf(part = ""): Promise<string> {
    return mainIn((await visitor.get(`/subscriptions/${id}${part}`)).text);
  }

  function expires(month: number | null, year: number | null) {
    return execute(
      "UPDATE payment_methods SET exp_month = ?, exp_year = ? WHERE profile_id = ?",
      month,
      year,
      shop.profileId,
    );
  }

  test("with a card that was revoked and no way to another it offers no button that leads nowhere, and says whom to write to", async () => {
    await execute("UPDATE payment_methods SET status = 'REVOKED' WHERE profile_id = ?", shop.profileId);
    await switchOn(worker, shop, { support_email: "help@shop.example" });
    for (const html of [await mainOf(), await mainOf("/payment-method")])
      expect(html).toContain('To pay in another way, write to <a href="mailto:help@shop.example">');
    expect(await mainOf()).not.toContain('/payment-method"');
    expect(await mainOf("/payment-method")).not.toMatch(/<button|<form|class="button"/);
    await switchOn(worker, shop, { support_email: null });
    expect(await mainOf()).toContain("To pay in another way, please ask the shop.");
    await switchOn(worker, shop, { can_change_payment_method: false });
    expect(await mainOf()).not.toContain("To pay in another way");
  });

  test("on the sandbox store it says that nothing is sent", async () => {
    expect(await mainOf("/payment-method")).toContain("This is a test store: it sends no e-mail.");
    expect(await mainOf("/payment-link")).toContain("This is a test store: it sends no e-mail.");
  });

  test("with a page of the merchant's own it leads there, and says which subscription of whom it is", async () => {
    await switchOn(worker, shop, { update_payment_url: "https://shop.example/card?from=portal" });
    expect(await mainOf()).toContain(`/subscriptions/${id}/payment-method"`);
    const [, href = ""] =
      /href="(https:\/\/shop[^"]*)" rel="noreferrer"/.exec(await mainOf("/payment-method")) ?? [];
    expect(href.replaceAll("&amp;", "&")).toBe(
      `https://shop.example/card?from=portal&subscription_id=${id}&profile_id=${shop.profileId}`,
    );
  });

  test("says on both pages, in each language, that a card expires before the next charge", async () => {
    await expires(1, 2030);
    for (const [locale, words] of [
      ["en", "expires at the end of January 2030, before the next charge on Sun, Feb 3, 2030."],
      ["de", "läuft Ende Januar 2030 ab, vor der nächsten Zahlung am So., 3. Feb. 2030."],
      ["fr", "expire fin janvier 2030, avant le prochain paiement du dim. 3 févr. 2030."],
      ["es", "caduca a finales de enero de 2030, antes del próximo cobro del dom, 3 feb 2030."],
    ] as const) {
      await enter(locale);
      for (const html of [
        mainIn((await visitor.get()).text),
        await mainOf(),
        await mainOf("/payment-method"),
      ])
        expect(html).toContain(words);
    }
  });

  test("says what has expired or was revoked, and nothing of a card that is good or is not charged any more", async () => {
    const told = async () =>
      /class="(?:alert|told)">([^<]*)</
        .exec(await mainOf())?.[1]
        ?.replace(/^.*4242 /, "")
        .trim();
    await expires(12, 2031);
    expect(await told()).toBeUndefined();
    await expires(12, 2029);
    expect(await told()).toMatch(/has expired\.$/);
    await execute("UPDATE payment_methods SET status = 'REVOKED' WHERE profile_id = ?", shop.profileId);
    expect(await told()).toMatch(/can no longer be charged\.$/);
    await execute("UPDATE subscriptions SET status = 'CANCELLED' WHERE id = ?", id);
    expect(await told()).toBeUndefined();
  });
});

describe("a shop on Shopify", () => {
  const shop = useShop();
  let id: string;
  let visitor: ReturnType<typeof openVisitor>;
  beforeEach(async () => {
    shop.store.settings.scopes.push("write_customers");
    await switchOn(shop.worker, shop.merchant, { support_email: "help@shop.example" });
    id = await subscribed(shop);
    visitor = openVisitor(shop.worker, shop.merchant);
    const more = { locale: "en", profile_id: shop.profileId };
    await visitor.enter((await linkFor(shop.worker, shop.merchant, more)).url);
  });

  const path = () => `/subscriptions/${id}/payment-link`;

  async function confirm() {
    const page = await visitor.get(path());
    return visitor.post(path(), fieldsIn(page.text, `${visitor.base}${path()}`));
  }

  test("mails the link when it is confirmed, once, and says so", async () => {
    const form = await visitor.get(`/subscriptions/${id}/payment-method`);
    expect(mainIn(form.text)).toContain(`href="${visitor.base}${path()}">Send me a link by e-mail`);
    const page = await visitor.get(path());
    expect([page.status, shop.store.updateEmails]).toEqual([200, []]);
    const sent = fieldsIn(page.text, `${visitor.base}${path()}`);
    for (const answer of [await visitor.post(path(), sent), await visitor.post(path(), sent)])
      expect([answer.status, answer.headers.get("Location")]).toEqual([
        303,
        `${visitor.base}/subscriptions/${id}`,
      ]);
    expect(shop.store.updateEmails).toHaveLength(1);
    expect((await entriesOf(id)).at(-1)?.action).toBe("payment_update_requested");
    expect((await visitor.get(`/subscriptions/${id}`)).text).toContain(
      "We have asked for the e-mail with the link.",
    );
  });

  test("after three a day says to look for the e-mail", async () => {
    for (let nth = 0; nth < 3; nth++) expect((await confirm()).status).toBe(303);
    const form = mainIn((await visitor.get(`/subscriptions/${id}/payment-method`)).text);
    expect(form).toContain("You have asked for the link three times today.");
    expect(form).not.toContain("/payment-link");
    const page = await visitor.get(path());
    expect([page.status, mainIn(page.text)]).toEqual([429, expect.stringContaining("three times today")]);
  });

  test("that refuses is told, and is not offered again where the app lacks the scope", async () => {
    shop.store.settings.scopes = shop.store.settings.scopes.filter((scope) => scope !== "write_customers");
    const answer = await confirm();
    expect([answer.status, mainIn(answer.text)]).toEqual([
      409,
      expect.stringContaining("The shop could not send the e-mail."),
    ]);
    const page = mainIn((await visitor.get(`/subscriptions/${id}`)).text);
    expect(page).not.toContain('/payment-method"');
    expect(page).toContain("To pay in another way, write to");
  });
});
