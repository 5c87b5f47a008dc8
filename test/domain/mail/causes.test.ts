/** Each kind of mail follows from its cause, and leads its customer to the right page. */
import { describe, expect, test } from "vitest";
import type { MailKind } from "../../../src/domain/mail/kinds.ts";
import { switchOn } from "../../edges/portal/visitor.ts";
import { hookedShop, sendAll } from "../../edges/webhooks/hooks.ts";
import { subscribed } from "../../stores/shopify/shop.ts";
import { done, type Json, openShop, type Shop } from "../../support/shops.ts";
import { advance, later, linked, shipNow, startClock } from "../../support/worker.ts";
import { useBulk } from "../bulk/bulk-jobs.ts";
import { log, postboxOf } from "./postbox.ts";

/** A mail without the addresses of the pages of leaving, which are there also while the portal is off. */
function withoutLeaving(mail: string): string {
  return mail.replaceAll(/https:\/\/[^\s"]+\/(leave|withdraw)\b/g, "");
}

const { worker, addOne, bulk } = useBulk();
const support_email = "help@shop.example";

/** The cause of a mail of a kind, the sentences of its text, and the page of the portal that it leads to. */
type Cause = {
  kind: MailKind;
  happen: (shop: Shop) => Promise<string>;
  says: string[];
  page: string;
};

async function charge(shop: Shop, store_payment_method_id: string): Promise<string> {
  const id = await linked(shop, worker, { store_payment_method_id, next_delivery_date: "2034-01-20" });
  await shipNow(shop, worker, id);
  await worker.drain();
  return id;
}

const causes: Cause[] = [
  {
    kind: "welcome",
    happen: async (shop) => {
      const id = await linked(shop, worker, { next_delivery_date: "2034-01-20" });
      await later(worker, 60);
      return id;
    },
    says: ["Your subscription to Kibble has started. The next charge is $10.00 on Fri, Jan 20, 2034."],
    page: "",
  },
  {
    kind: "upcoming_charge",
    happen: async (shop) => {
      const id = await linked(shop, worker, { next_delivery_date: "2034-01-20" });
      await advance(shop, worker, 17);
      return id;
    },
    says: ["On Fri, Jan 20, 2034, we charge $10.00 for Kibble.", "Payment method: Visa •••• 4242"],
    page: "",
  },
  {
    kind: "receipt",
    happen: (shop) => charge(shop, "pm_success"),
    says: ["On Sun, Jan 1, 2034, you paid $10.00 for Kibble.", "Total: $10.00"],
    page: "",
  },
  {
    kind: "payment_failed",
    happen: (shop) => charge(shop, "pm_insufficient_funds"),
    says: [
      "On Sun, Jan 1, 2034, the payment of $10.00 for Kibble failed: insufficient funds.",
      "We try again on Mon, Jan 2, 2034.",
    ],
    page: "/retry-payment",
  },
  {
    kind: "payment_ended",
    happen: async (shop) => {
      const id = await charge(shop, "pm_insufficient_funds");
      await advance(shop, worker, 8);
      return id;
    },
    says: ["The payment of $10.00 for Kibble did not succeed by Sun, Jan 8, 2034: insufficient funds."],
    page: "/retry-payment",
  },
  {
    kind: "card_expiring",
    happen: async (shop) => {
      const id = await linked(shop, worker, { next_delivery_date: "2035-03-01" });
      await advance(shop, worker, 335);
      return id;
    },
    says: ["Your card Visa •••• 4242 expires at the end of December 2034. It pays for Kibble."],
    page: "/payment-method",
  },
  {
    kind: "changed",
    happen: async (shop) => {
      const id = await linked(shop, worker, { next_delivery_date: "2034-01-20" });
      await done(shop.api, "POST", id, "pause");
      await advance(shop, worker, 1);
      return id;
    },
    says: ["On Sun, Jan 1, 2034, your subscription was paused: Kibble.", "Status: Paused (before: Active)"],
    page: "/resume",
  },
  {
    kind: "price_change",
    happen: async (shop) => {
      const id = await addOne(shop, { next_delivery_date: "2034-01-20" });
      const input = { store_variant_id: "old", price: 12, effective_on: "2034-02-05" };
      await bulk(shop, { action: "change_price", input, ids: [id] });
      return id;
    },
    says: [
      "From Fri, Feb 10, 2034, Kibble costs $12.00 instead of $10.00.",
      "Price per item: $12.00 (before: $10.00)",
      "Amount of that charge: $22.00",
    ],
    page: "/cancel",
  },
];

async function opened(portal: object) {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  await postbox.set({ provider: "log" });
  await switchOn(worker, shop, { support_email, ...portal });
  await startClock(shop, "2034-01-01T12:00:00.000Z");
  return { shop, postbox };
}

describe.each(causes)("$kind", ({ kind, happen, says, page }) => {
  const mailOf = async (portal: object) => {
    const { shop, postbox } = await opened(portal);
    const id = await happen(shop);
    const [mail, ...others] = await postbox.list({ kind });
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ status: "SENT", profile_id: shop.profileId });
    return { shop, id, ...((await postbox.content(mail)) as { html: string; text: string }) };
  };

  test("follows from its cause, and leads to its page", async () => {
    const { shop, id, html, text } = await mailOf({});
    for (const sentence of says) expect(text).toContain(sentence);
    const link = `https://perennial.test/portal/${shop.of.account.shop}/subscriptions/${id}${page}`;
    expect(text).toContain(`:\n${link}\n`);
    expect(html).toContain(`href="${link}"`);
    expect(text).toContain(`Questions? Write to ${support_email}`);
  });

  test("leads nowhere while the portal is off, and says whom to write to", async () => {
    const { html, text } = await mailOf({ is_enabled: false });
    for (const sentence of says) expect(text).toContain(sentence);
    expect(withoutLeaving(html + text)).not.toMatch(/https?:|\/portal\//);
    expect(text).toContain(`\nTo change, pay or cancel anything, write to ${support_email}\n`);
    expect(text).not.toMatch(/on the page of your subscription|undo it/);
  });
});

test("confirm_payment leads to the store's own page, with the portal or without", async () => {
  for (const is_enabled of [true, false]) {
    const { shop, postbox } = await opened({ is_enabled });
    await charge(shop, "pm_requires_action");
    const [mail] = await postbox.list({ kind: "confirm_payment" });
    const { text } = await postbox.content(mail);
    expect(text).toContain("Your payment of $10.00 for Kibble is waiting for your confirmation until");
    expect(text).toMatch(/Confirm the payment:\nhttps:\/\//);
    expect(withoutLeaving(text)).not.toContain("/portal/");
  }
});

test("login_link is not sent once the portal is off", async () => {
  const { shop, postbox } = await opened({});
  const email = (await worker.call<Json>(shop.customer, "GET", "/api/portal/me")).body.data.email;
  const raw = new URLSearchParams({ email }).toString();
  const headers = { Origin: "https://perennial.test", "Content-Type": "application/x-www-form-urlencoded" };
  await worker.call(shop.api, "POST", `/portal/${shop.of.account.shop}/login`, { raw, headers });
  await switchOn(worker, shop, { is_enabled: false });
  await worker.drain();
  expect(await postbox.list({ kind: "login_link" })).toMatchObject([
    { status: "SUPPRESSED", suppressed_reason: "outdated" },
  ]);
});

describe("shipped", () => {
  const tracking = { company: "DHL", number: "T1", url: "https://dhl.example/T1" };

  /** A charge of a connected store whose order is then fulfilled there, which its webhooks tell. */
  async function fulfilled(parcel: object, portal: object = {}) {
    const shop = await hookedShop();
    const { merchant } = shop;
    const postbox = postboxOf(merchant, shop.worker);
    await postbox.set(log);
    await switchOn(shop.worker, merchant, { support_email, ...portal });
    const id = await subscribed(shop);
    await shipNow(merchant, shop.worker, id);
    await shop.worker.drain();
    await sendAll(shop);
    await shop.worker.drain();
    shop.store.fulfill(shop.store.charges.at(-1)!.order!, parcel);
    await sendAll(shop);
    await shop.worker.drain();
    const [mail, ...others] = await postbox.list({ kind: "shipped" });
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ status: "SENT", subscription_id: id, order_id: expect.any(String) });
    return { text: String((await postbox.content(mail)).text), id };
  }

  test("follows from the order's fulfilment at the store, with its tracking, whether the portal is on or off", async () => {
    for (const is_enabled of [true, false]) {
      const { text } = await fulfilled({ tracking }, { is_enabled });
      expect(text).toMatch(/^Your delivery is on its way/);
      expect(text).toContain("Tracking number: DHL T1\n");
      expect(text).toContain("Track the parcel:\nhttps://dhl.example/T1\n");
      expect(text).toContain(`Questions? Write to ${support_email}`);
    }
  });

  test("leads to the subscription where the store knows no tracking, or nowhere", async () => {
    const { text, id } = await fulfilled({});
    expect(text).toContain(`/subscriptions/${id}\n`);
    const off = await fulfilled({}, { is_enabled: false, support_email: null });
    expect(withoutLeaving(off.text)).not.toContain("http");
    expect(off.text).toContain("\nTo change, pay or cancel anything, answer this e-mail.\n");
  });
});

describe("the address of links", () => {
  const linkIn = async (portal: object, host: string) => {
    const { shop, postbox } = await opened(portal);
    const headers = { Host: host };
    const id = await linked(shop, worker, { next_delivery_date: "2034-01-20" });
    await worker.call(shop.api, "POST", `https://${host}/api/subscriptions/${id}/pause`, { headers });
    await advance(shop, worker, 1);
    const [mail] = await postbox.list({ kind: "changed" });
    return String((await postbox.content(mail)).text);
  };

  test("is the deployment's, whatever host a request names", async () => {
    const text = await linkIn({}, "evil.example");
    expect(text).toContain("\nhttps://perennial.test/portal/");
    expect(text).not.toContain("evil.example");
  });

  test("is the merchant's own where the portal has one", async () => {
    const text = await linkIn({ base_url: "https://abo.shop.example" }, "evil.example");
    expect(text).toContain("\nhttps://abo.shop.example/portal/");
    expect(text).not.toMatch(/evil\.example|perennial\.test/);
  });
});
