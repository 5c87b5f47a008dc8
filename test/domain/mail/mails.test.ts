/** Each mail is sent once for its event, with what its kind says, though a message was lost. */
import { describe, expect, test } from "vitest";
import { openVisitor, switchOn } from "../../edges/portal/visitor.ts";
import { select } from "../../support/database.ts";
import { addPlan, done, itemOf, type Json, openShop, read, type Shop } from "../../support/shops.ts";
import {
  advance,
  attemptsOf,
  later,
  linked,
  ordersOf,
  shipNow,
  startClock,
  useWorker,
} from "../../support/worker.ts";
import { network } from "../webhook-endpoints/receiver.ts";
import { log, postboxOf, resend, resendUrl } from "./postbox.ts";

const worker = useWorker();
const net = network();

/** A shop whose mails are sent by a provider, and its mails. */
async function opened(settings: object = log) {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  await switchOn(worker, shop);
  await postbox.set(settings);
  return { shop, postbox };
}

/** A subscription that is charged at once, by a payment method that behaves as its name says. */
async function charged(shop: Shop, store_payment_method_id: string): Promise<string> {
  const id = await linked(shop, worker, { store_payment_method_id });
  await shipNow(shop, worker, id);
  await worker.drain();
  return id;
}

async function emailOf({ profileId }: Shop): Promise<string> {
  return (await select<{ email: string }>("SELECT email FROM profiles WHERE id = ?", profileId))[0]!.email;
}

describe("a customer whose payment has failed", () => {
  test("is told once, by the message that the failure sends, with the link to pay", async () => {
    const { shop, postbox } = await opened();
    const id = await charged(shop, "pm_card_declined");
    const mails = await postbox.list();
    expect(mails).toEqual([
      {
        id: expect.any(String),
        kind: "payment_failed",
        event_id: expect.any(String),
        profile_id: shop.profileId,
        subscription_id: id,
        order_id: null,
        to: await emailOf(shop),
        subject: expect.any(String),
        status: "SENT",
        suppressed_reason: null,
        last_error: null,
        provider: "log",
        provider_id: expect.any(String),
        attempt_count: 1,
        sent_at: expect.any(String),
        created_at: expect.any(String),
      },
    ]);
    const link = `https://perennial.test/portal/${shop.of.account.shop}/subscriptions/${id}`;
    const content = await postbox.content(mails[0]);
    expect(content).toMatchObject({ subject: mails[0].subject, is_rendered_anew: false });
    expect(content.text).toContain(link);
    expect(content.html).toContain(link);
  });

  test("is told by the next tick where the message was lost", async () => {
    const { shop, postbox } = await opened();
    const id = await linked(shop, worker, { store_payment_method_id: "pm_card_declined" });
    await shipNow(shop, worker, id);
    const isMail = (type: string) => type === "deliver_event";
    while (worker.sent().some(({ type }) => !isMail(type))) await worker.drain({ soon: false });
    worker.forget();
    await worker.tick();
    expect(await postbox.list()).toMatchObject([{ kind: "payment_failed", status: "SENT" }]);
  });

  test("is not told of it any more once it is paid", async () => {
    const { shop, postbox } = await opened(resend);
    net.answering(resendUrl, 503);
    const id = await charged(shop, "pm_card_declined");
    expect(await postbox.list()).toMatchObject([{ status: "PENDING", attempt_count: 1 }]);
    net.answering(resendUrl, () => Response.json({ id: "at-resend" }));
    await done(shop.api, "PUT", id, "payment-method", { store_payment_method_id: "pm_success" });
    await later(worker, 400);
    expect(await postbox.list({ kind: "payment_failed" })).toMatchObject([
      { status: "SUPPRESSED", suppressed_reason: "outdated", to: null },
    ]);
  });
});

describe("each kind of mail", () => {
  test("receipt: the order's lines and what was paid", async () => {
    const { shop, postbox } = await opened();
    const id = await charged(shop, "pm_success");
    const [order] = await ordersOf(shop, id);
    const [mail, ...others] = await postbox.list({ kind: "receipt" });
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ status: "SENT", order_id: order.id, profile_id: shop.profileId });
    expect((await postbox.content(mail)).text).toContain("Kibble");
  });

  test("confirm_payment: where the store has the payment confirmed", async () => {
    const { shop, postbox } = await opened();
    const id = await charged(shop, "pm_requires_action");
    const [attempt] = await attemptsOf(shop, id);
    const [mail] = await postbox.list({ kind: "confirm_payment" });
    expect(mail).toMatchObject({ status: "SENT", subscription_id: id });
    expect((await postbox.content(mail)).text).toContain(attempt.next_action_url);
  });

  test("upcoming_charge: before the charge, after which the subscription says SENT", async () => {
    const { shop, postbox } = await opened();
    await startClock(shop, "2030-01-01T12:00:00.000Z");
    const id = await linked(shop, worker, { next_delivery_date: "2030-01-20" });
    await advance(shop, worker, 17);
    const [mail] = await postbox.list({ kind: "upcoming_charge" });
    expect(mail).toMatchObject({ status: "SENT", subscription_id: id });
    expect(await read(shop, id)).toMatchObject({ payment_reminder_status: "SENT" });
  });

  test("login_link: a link that signs in, which is kept nowhere", async () => {
    const { shop, postbox } = await opened(resend);
    net.answering(resendUrl, () => Response.json({ id: "at-resend" }));
    await signIn(shop);
    const [sent] = net.to(resendUrl);
    const [, token] = /token=([\w-]+)/.exec(sent?.body.text) ?? [];
    expect(token).toBeDefined();
    const [mail] = await postbox.list();
    expect(mail).toMatchObject({ kind: "login_link", status: "SENT" });
    for (const [method, part] of [
      ["GET", "content"],
      ["POST", "resend"],
    ] as const)
      expect(await postbox.call(method, `/api/mails/${mail.id}/${part}`)).toMatchObject({
        status: 409,
        body: { errorCode: "INVALID_STATE" },
      });
  });

  test("login_link: is not sent once it is 15 minutes late", async () => {
    const { shop, postbox } = await opened(resend);
    net.answering(resendUrl, 503);
    await signIn(shop);
    net.answering(resendUrl, () => Response.json({ id: "at-resend" }));
    await later(worker, 16 * 60);
    expect(await postbox.list()).toMatchObject([{ status: "SUPPRESSED", suppressed_reason: "late" }]);
  });
});

async function signIn(shop: Shop): Promise<void> {
  await openVisitor(worker, shop).post("/login", { email: await emailOf(shop) });
  await worker.drain();
}

describe("reminders of charges that are seldom", () => {
  test("come as long before as the rule of their interval says, the longest that matches", async () => {
    const { shop, postbox } = await opened();
    await startClock(shop, "2030-01-01T12:00:00.000Z");
    const yearly = await addPlan(shop, { billing_interval: "YEAR" });
    const id = await linked(shop, worker, { next_delivery_date: "2030-02-20", lines: [itemOf(yearly)] });
    const weekly = await linked(shop, worker, { next_delivery_date: "2030-02-20" });
    await advance(shop, worker, 29);
    expect(await postbox.list()).toEqual([]);
    await advance(shop, worker, 2);
    expect(await postbox.list()).toMatchObject([
      { kind: "upcoming_charge", status: "SENT", subscription_id: id },
    ]);
    const statuses = async () =>
      Promise.all([id, weekly].map(async (one) => (await read(shop, one)).payment_reminder_status));
    expect(await statuses()).toEqual(["SENT", "NONE"]);
    await advance(shop, worker, 17);
    expect(await statuses()).toEqual(["SENT", "SENT"]);
  });

  test("follow the settings as they are changed, and switched off", async () => {
    const { shop, postbox } = await opened();
    await startClock(shop, "2030-01-01T12:00:00.000Z");
    const id = await linked(shop, worker, { next_delivery_date: "2030-01-20" });
    const status = async () => (await read(shop, id)).payment_reminder_status;
    expect(await status()).toBe("NONE");
    await postbox.set({ reminders: [{ interval: "week", at_least: 1, days_before: 19 }] });
    expect(await status()).toBe("DUE");
    const listed = await worker.call<Json>(shop.api, "GET", "/api/subscriptions", {
      query: { payment_reminder_status: "DUE" },
    });
    expect(listed.body.data.map((one: Json) => one.id)).toEqual([id]);
    await postbox.set({ is_enabled: false });
    expect(await status()).toBe("NONE");
  });
});
