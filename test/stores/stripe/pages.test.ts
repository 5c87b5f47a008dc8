/** A customer enters a card and confirms a payment on the portal's pages of Stripe, with and without JavaScript. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { linkFor, openVisitor, switchOn } from "../../edges/portal/visitor.ts";
import type { Answer } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import type { Json } from "../../support/shops.ts";
import { profile } from "../../support/tenant.ts";
import { openWorker, setClock } from "../../support/worker.ts";
import { subscribed, useAccount } from "./account.ts";
import { apiOf } from "./api.ts";
import { expectChargedOnce, intentsOf, newestOf, shipped } from "./charging.ts";
import { type HookedAccount, hookedAccount } from "./hooks.ts";

/** The portal's pages on which customers enter a payment method, and confirm a payment, at Stripe. */

const account = useAccount(hookedAccount) as HookedAccount;
let visitor: ReturnType<typeof openVisitor>;
beforeEach(async () => {
  await switchOn(account.worker, account.merchant);
});

async function enter({ locale = "en", profile_id = account.profileId } = {}): Promise<void> {
  visitor = openVisitor(account.worker, account.merchant);
  await visitor.enter((await linkFor(account.worker, account.merchant, { locale, profile_id })).url);
}

const main = ({ text }: Answer): string => text.slice(text.indexOf("<main"), text.indexOf("</main"));
const policyOf = ({ headers }: Answer): string => headers.get("Content-Security-Policy") ?? "";
const attributeIn = (html: string, name: string): string =>
  new RegExp(`${name}="([^"]*)"`).exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";

describe("the page of a new payment method", () => {
  let id: string;
  let path: string;
  beforeEach(async () => {
    id = await subscribed(account);
    path = `/subscriptions/${id}/payment-method`;
    await enter();
  });

  test("is led to by the form that changes the payment method, and by signing in", async () => {
    expect(main(await visitor.get(path))).toContain(`href="${visitor.base}${path}/new"`);
    const stranger = openVisitor(account.worker, account.merchant);
    expect((await stranger.get(`${path}/new`)).status).toBe(303);
    const { url } = await linkFor(account.worker, account.merchant, { profile_id: account.profileId });
    expect((await stranger.enter(url)).headers.get("Location")).toBe(`${visitor.base}${path}/new`);
  });

  test("says after a few times a minute that it was a lot, and nothing more is made at Stripe", async () => {
    account.worker = openWorker({ ...account.worker.bindings, SETUPS_LIMITER: env.TEST_LIMITER });
    await enter();
    const pages: Answer[] = [];
    for (let times = 0; times < 6; times++) pages.push(await visitor.get(`${path}/new`));
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(main(pages[5]!)).toContain("Please wait a minute");
    const made = account.stripe.requests.filter(({ operation }) => operation === "setup_intents.create");
    expect(made).toHaveLength(5);
  });

  test("leads to Checkout first, whose end is the preview of paying with what was entered", async () => {
    const page = await visitor.get(`${path}/new`);
    const checkout = attributeIn(main(page), 'class="button" href');
    expect(checkout).toMatch(/^https:\/\/stripe\.fake\/c\/pay\/cs_test_/);
    expect(main(page).indexOf(checkout)).toBeLessThan(main(page).indexOf("data-store"));
    const form = new URLSearchParams({ payment_method: "pm_card_mastercard" });
    const done = await account.stripe.fetch(
      new Request(checkout, {
        method: "POST",
        body: form.toString(),
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      }),
    );
    const back = new URL(done.headers.get("Location")!);
    expect(back.pathname).toBe(`${visitor.base}${path}/entered`);
    const preview = await visitor.get(back.pathname + back.search);
    expect([preview.status, main(preview)]).toEqual([200, expect.stringContaining("4444")]);
    const payment_method_id = /name="payment_method_id" value="([^"]+)"/.exec(preview.text)?.[1] ?? "";
    const confirmed = await visitor.post(path, { payment_method_id, confirm: "1", key: "page-1" });
    expect(confirmed.status).toBe(303);
    const { current } = (
      await account.worker.call<Json>(account.merchant.api, "GET", `/api/subscriptions/${id}/payment-method`)
    ).body.data;
    expect(current).toMatchObject({ id: payment_method_id, last4: "4444" });
  });

  test("has the form of Stripe's script under a policy of its own, which no other page has", async () => {
    const page = await visitor.get(`${path}/new`);
    expect(page.text).toContain('<script src="https://js.stripe.com/v3/" defer></script>');
    expect(policyOf(page)).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com;");
    expect(policyOf(page)).toContain("frame-src https://js.stripe.com");
    expect(policyOf(page)).toContain("connect-src https://api.stripe.com;");
    expect(policyOf(page)).not.toContain("unsafe");
    expect(page.headers.get("Referrer-Policy")).toBe("same-origin");
    for (const other of ["", path, `/subscriptions/${id}`])
      expect(policyOf(await visitor.get(other)), other).not.toContain("stripe");
    const secret = attributeIn(main(page), "data-secret");
    const setup = secret.split("_secret_")[0]!;
    account.stripe.setUp(setup, "pm_card_mastercard");
    expect(main(await visitor.get(`${path}/entered?setup_intent=${setup}`))).toContain("4444");
  });

  test.each([
    ["en", "New payment method"],
    ["de", "Neue Zahlungsart"],
    ["fr", "Nouveau moyen de paiement"],
    ["es", "Nueva forma de pago"],
  ])("is in %s", async (locale, title) => {
    await enter({ locale });
    expect(main(await visitor.get(`${path}/new`))).toContain(`<h1>${title}</h1>`);
  });

  test("says so where nothing was entered, or another customer's was", async () => {
    const notEntered = "No new payment method was saved";
    const secret = attributeIn(main(await visitor.get(`${path}/new`)), "data-secret");
    const setup = secret.split("_secret_")[0]!;
    expect(main(await visitor.get(`${path}/entered?setup_intent=${setup}`))).toContain(notEntered);
    expect(main(await visitor.get(`${path}/entered`))).toContain(notEntered);
    account.stripe.setUp(setup);
    const { id: other } = await profile(account.merchant.of, { email: "eve@example.com" });
    await enter({ profile_id: other });
    expect((await visitor.get(`${path}/entered?setup_intent=${setup}`)).status).toBe(404);
  });

  test("says that Stripe is not reachable, and offers nothing then", async () => {
    account.stripe.fail({ kind: "network", on: "checkout.sessions.create" });
    const page = await visitor.get(`${path}/new`);
    expect(main(page)).toContain("not available at the moment");
    expect(page.text).not.toContain("js.stripe.com");
  });

  test("is nobody else's, and needs the shop's permission", async () => {
    const { id: other } = await profile(account.merchant.of, { email: "eve@example.com" });
    await switchOn(account.worker, account.merchant, { can_change_payment_method: false });
    expect((await visitor.get(`${path}/new`)).status).toBe(403);
    await switchOn(account.worker, account.merchant, { can_change_payment_method: true });
    await enter({ profile_id: other });
    expect((await visitor.get(`${path}/new`)).status).toBe(404);
  });
});

describe("the page of a payment that waits for its customer", () => {
  let id: string;
  let attempt: Json;
  beforeEach(async () => {
    const card = account.stripe.addPaymentMethod(account.customer, "pm_card_authenticationRequired").id;
    id = await subscribed({ ...account, card });
    await shipped(account, id);
    attempt = await newestOf(account, id);
  });
  const path = () => `/pay/${attempt.id}`;

  /** The browser confirms with what the page has, and the customer's bank agrees, or does not. */
  async function confirm(isAgreed = true): Promise<void> {
    const page = main(await visitor.get(path()));
    const [secret, payment_method] = [attributeIn(page, "data-secret"), attributeIn(page, "data-method")];
    const intent = secret.split("_secret_")[0]!;
    await apiOf(account.stripe).post(`payment_intents/${intent}/confirm`, {
      payment_method,
      return_url: "https://shop.example",
    });
    if (isAgreed) account.stripe.confirmAs(intent);
    else account.stripe.failAuthentication(intent);
  }

  test("is where the attempt leads, also through signing in", async () => {
    expect(new URL(attempt.next_action_url).pathname).toBe(
      `/portal/${account.merchant.of.account.shop}${path()}`,
    );
    const stranger = openVisitor(account.worker, account.merchant);
    expect((await stranger.get(path())).status).toBe(303);
    const { url } = await linkFor(account.worker, account.merchant, { profile_id: account.profileId });
    expect((await stranger.enter(url)).headers.get("Location")).toBe(`${stranger.base}${path()}`);
  });

  test("says how much it is, what for and until when, and what is needed without JavaScript", async () => {
    await enter();
    const page = await visitor.get(path());
    expect([page.status, main(page)]).toEqual([200, expect.stringContaining("€20.00 for Kibble")]);
    expect(main(page)).toContain("You can confirm it until");
    expect(main(page)).toContain("has to run JavaScript");
    expect(policyOf(page)).toContain("https://js.stripe.com");
  });

  test("takes the customer's confirmation, and says that it was paid", async () => {
    await enter();
    await confirm();
    const posted = await visitor.post(path());
    expect([posted.status, posted.headers.get("Location")]).toEqual([303, `${visitor.base}${path()}`]);
    const page = await visitor.get(path());
    expect(main(page)).toContain("€20.00 has been paid");
    expect(page.text).not.toContain("js.stripe.com");
    expect(await newestOf(account, id)).toMatchObject({ status: "SUCCEEDED" });
    await expectChargedOnce(account, id);
  });

  test("says what has become of it where nobody has told the service: it asks", async () => {
    await enter();
    await confirm();
    expect(main(await visitor.get(path()))).toContain("€20.00 has been paid");
    await expectChargedOnce(account, id);
  });

  /** Another request, as the webhook's, has claimed the payment and not recorded its outcome yet. */
  async function claimElsewhere(): Promise<void> {
    await execute(
      "UPDATE billing_attempts SET claims = claims + 1, lease_until = ? WHERE id = ?",
      new Date(Date.now() + 30_000).toISOString(),
      attempt.id,
    );
  }

  test("says what the store says where another request records it at that moment", async () => {
    await enter();
    await confirm();
    await claimElsewhere();
    await visitor.post(path());
    expect(main(await visitor.get(path()))).toContain("€20.00 has been paid");
    expect(await newestOf(account, id), "it is the other's to record").toMatchObject({
      status: "ACTION_REQUIRED",
    });
  });

  test("whose bank has not agreed is not paid, and says so", async () => {
    await enter();
    await confirm(false);
    await visitor.post(path());
    expect(main(await visitor.get(path()))).not.toContain("has been paid");
    expect((await newestOf(account, id)).status).not.toBe("SUCCEEDED");
    expect(account.stripe.charges()).toEqual([]);
  });

  test("says that Stripe is not reachable, and has no form then", async () => {
    await enter();
    account.stripe.fail({ kind: "network", on: "payment_intents.retrieve" });
    const page = await visitor.get(path());
    expect(main(page)).toContain("not available at the moment");
    expect(page.text).not.toContain("data-secret");
  });

  test("cannot be confirmed any more once its time is over", async () => {
    await enter();
    setClock(Date.now() + 73 * 3_600_000);
    await enter();
    const page = await visitor.get(path());
    expect(main(page)).toContain("can no longer be confirmed");
    expect(page.text).not.toContain("data-secret");
  });

  test("is 404 for whoever else asks, and its payment is left alone", async () => {
    const { id: other } = await profile(account.merchant.of, { email: "eve@example.com" });
    await enter({ profile_id: other });
    expect((await visitor.get(path())).status).toBe(404);
    expect((await visitor.post(path())).status).toBe(404);
    expect((await visitor.get("/pay/unknown")).status).toBe(404);
    expect(intentsOf(account, id)).toHaveLength(1);
    const shop = await hookedAccount();
    await switchOn(shop.worker, shop.merchant);
    const theirs = openVisitor(shop.worker, shop.merchant);
    const { url } = await linkFor(shop.worker, shop.merchant, { profile_id: shop.profileId });
    await theirs.enter(url);
    expect((await theirs.get(path())).status).toBe(404);
  });
});
