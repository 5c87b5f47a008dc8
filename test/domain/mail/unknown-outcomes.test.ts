/** A mail that may have been sent is sent again only where its provider knows it by its key. */
import { describe, expect, test } from "vitest";
import { parseEnv } from "../../../src/base/env.ts";
import { erasePersonalData } from "../../../src/domain/privacy/erase-personal-data.ts";
import { openCtx } from "../../../src/kit/context.ts";
import { switchOn } from "../../edges/portal/visitor.ts";
import { execute, testDb } from "../../support/database.ts";
import { done, inDays, type Json, openShop, type Shop } from "../../support/shops.ts";
import { gate } from "../../support/slow-database.ts";
import { later, linked, shipNow, useWorker } from "../../support/worker.ts";
import { network } from "../webhook-endpoints/receiver.ts";
import { postboxOf, resend, resendUrl } from "./postbox.ts";

const worker = useWorker();
const net = network();
const hour = 3_600;
const unknown = {
  status: "FAILED",
  suppressed_reason: null,
  last_error: "the outcome is unknown: the provider may have sent it",
};

/** Resend, which sends one mail under each key within a day, whatever it answers. */
function openResend() {
  const known = new Map<string, number>();
  const sent: string[] = [];
  let answer: () => Response | Promise<Response> = () => Response.json({ id: "at-resend" });
  net.answering(resendUrl, ({ headers }) => {
    const key = String(headers.get("idempotency-key"));
    const response = answer();
    if (response instanceof Response && response.status === 503) return response;
    if (Date.now() - (known.get(key) ?? 0) >= 24 * hour * 1000) {
      known.set(key, Date.now());
      sent.push(key);
    }
    return response;
  });
  return {
    answering: (next: typeof answer) => {
      answer = next;
    },
    /** How often it has sent a mail. */
    times: ({ id }: Json) => sent.filter((key) => key.startsWith(id)).length,
  };
}

async function opened() {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  await switchOn(worker, shop);
  await postbox.set({ ...resend, kinds: { welcome: { is_enabled: false } } });
  return { shop, postbox, provider: openResend() };
}

async function pass(hours: number): Promise<void> {
  for (let passed = 0; passed < hours; passed++) await later(worker, hour);
}

describe("a mail that Resend may have sent", () => {
  test.each([
    ["receipt", 0],
    ["upcoming_charge", 3],
  ])("%s: is not sent again once its key may be forgotten", async (kind, days) => {
    const { shop, postbox, provider } = await opened();
    provider.answering(() => Response.json({}, { status: 500 }));
    await linked(shop, worker, { next_delivery_date: inDays(days) });
    await later(worker, 60);
    const [mail] = (await postbox.list({ kind })) as [Json];
    expect(mail).toMatchObject({ status: "PENDING", last_error: "the provider answered 500" });
    provider.answering(() => new Response("{}", { status: 503 }));
    await pass(22);
    expect(await postbox.list({ kind })).toMatchObject([{ status: "PENDING" }]);
    await pass(2);
    provider.answering(() => Response.json({ id: "at-resend" }));
    await pass(40);
    expect(await postbox.list({ kind })).toMatchObject([unknown]);
    expect(provider.times(mail)).toBe(1);
  });

  test("is sent again under its key within the day", async () => {
    const { shop, postbox, provider } = await opened();
    provider.answering(() => Response.json({}, { status: 500 }));
    await shipNow(shop, worker, await linked(shop, worker, { next_delivery_date: inDays(40) }));
    await worker.drain();
    provider.answering(() => Response.json({ id: "at-resend" }));
    await pass(3);
    const [mail] = (await postbox.list()) as [Json];
    expect(mail).toMatchObject({ status: "SENT", last_error: null });
    expect(provider.times(mail)).toBe(1);
  });

  test("is sent after any time where Resend has said that it is unavailable and nothing else", async () => {
    const { shop, postbox, provider } = await opened();
    provider.answering(() => new Response("{}", { status: 503 }));
    await shipNow(shop, worker, await linked(shop, worker, { next_delivery_date: inDays(40) }));
    await worker.drain();
    await pass(30);
    provider.answering(() => Response.json({ id: "at-resend" }));
    await pass(16);
    const [mail] = (await postbox.list()) as [Json];
    expect(mail).toMatchObject({ status: "SENT" });
    expect(provider.times(mail)).toBe(1);
  });
});

describe("a mail that was taken from a sender that was killed", () => {
  /** A mail about a failed payment. Nobody records what the provider answers. */
  async function killed() {
    const { shop, postbox, provider } = await opened();
    provider.answering(() => new Promise(() => {}));
    const id = await linked(shop, worker, {
      next_delivery_date: inDays(40),
      store_payment_method_id: "pm_card_declined",
    });
    await shipNow(shop, worker, id);
    void worker.drain();
    await expect.poll(() => net.to(resendUrl).length).toBe(1);
    const [mail] = (await postbox.list()) as [Json];
    await execute(
      "UPDATE event_deliveries SET lease_until = NULL, next_attempt_at = created_at WHERE event_id = ?",
      mail.id,
    );
    provider.answering(() => Response.json({ id: "at-resend" }));
    return { shop, postbox, provider, id, mail };
  }

  test("is asked for again under its key", async () => {
    const { postbox, provider, mail } = await killed();
    await later(worker, 60);
    expect(await postbox.list()).toMatchObject([{ id: mail.id, status: "SENT" }]);
    expect(provider.times(mail)).toBe(1);
  });

  test("is unknown, not suppressed, once it would say nothing any more", async () => {
    const { shop, postbox, id } = await killed();
    const method = { store_payment_method_id: "pm_success" };
    await done(shop.api, "PUT", id, "payment-method", method);
    await later(worker, 60);
    expect(await postbox.list({ kind: "payment_failed" })).toMatchObject([unknown]);
  });

  test("is unknown once mails are switched off", async () => {
    const { postbox } = await killed();
    await postbox.set({ is_enabled: false });
    expect(await postbox.list()).toMatchObject([unknown]);
  });

  test("is unknown once its customer is erased", async () => {
    const { shop, postbox } = await killed();
    await erase(shop);
    expect(await postbox.list()).toMatchObject([{ ...unknown, to: null, subject: null }]);
  });

  test("is not sent by another provider", async () => {
    const { postbox, mail } = await killed();
    const url = "https://api.postmarkapp.com/email";
    await postbox.set({ provider: "postmark", credentials: { server_token: "token" } });
    await later(worker, 60);
    expect(await postbox.list()).toMatchObject([unknown]);
    expect(net.to(url).filter(({ text }) => text.includes(mail.id))).toEqual([]);
  });
});

describe("a mail that is being sent", () => {
  /** A receipt that the provider takes once the gate is open. */
  async function underWay() {
    const { shop, postbox, provider } = await opened();
    const { pass, reached, open } = gate();
    provider.answering(() => pass().then(() => Response.json({ id: "at-resend" })));
    await shipNow(shop, worker, await linked(shop, worker, { next_delivery_date: inDays(40) }));
    const sending = worker.drain();
    await reached;
    const end = async () => {
      open();
      await sending;
    };
    return { shop, postbox, end };
  }

  test("is sent though mails were switched off before the provider took it", async () => {
    const { postbox, end } = await underWay();
    await postbox.set({ is_enabled: false });
    expect(await postbox.list()).toMatchObject([unknown]);
    await end();
    expect(await postbox.list()).toMatchObject([
      { status: "SENT", provider_id: "at-resend", last_error: null, to: expect.stringContaining("@") },
    ]);
  });

  test("names no customer who was erased before the provider took it", async () => {
    const { shop, postbox, end } = await underWay();
    await erase(shop);
    await end();
    expect(await postbox.list()).toMatchObject([{ status: "SENT", to: null, subject: null }]);
  });
});

test("a key that the provider refuses loses no mail: they go once it is right", async () => {
  const { shop, postbox, provider } = await opened();
  provider.answering(() => Response.json({ name: "invalid_api_key" }, { status: 401 }));
  await shipNow(shop, worker, await linked(shop, worker, { next_delivery_date: inDays(40) }));
  await worker.drain();
  await pass(12);
  expect(await postbox.list()).toMatchObject([{ status: "PENDING", last_error: "invalid_api_key" }]);
  await postbox.set({ credentials: { api_key: "re_other" } });
  provider.answering(() => Response.json({ id: "at-resend" }));
  await pass(16);
  expect(await postbox.list()).toMatchObject([{ status: "SENT" }]);
});

async function erase({ of: { account }, profileId }: Shop): Promise<void> {
  const system = { type: "system", name: null } as const;
  const opened = { env: parseEnv(worker.bindings), db: testDb(), account, actor: system, log: () => {} };
  await erasePersonalData(await openCtx({ ...opened, realNow: new Date() }), profileId);
}
