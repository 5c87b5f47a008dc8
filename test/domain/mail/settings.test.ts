/** The settings of mails decide what is sent by whom, and a provider that fails for a day loses nothing. */
import { describe, expect, test } from "vitest";
import { api, deployment } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { type Json, openShop, type Shop } from "../../support/shops.ts";
import { later, linked, shipNow, useWorker } from "../../support/worker.ts";
import { network } from "../webhook-endpoints/receiver.ts";
import { postboxOf, resend, resendUrl } from "./postbox.ts";

const worker = useWorker();
const net = network();

/** A mail server of the merchant's, whose password is a sentence. */
const smtp = {
  ...resend,
  provider: "smtp",
  credentials: { host: "smtp.example.com", port: 587, user: "shop", password: "a long pässword" },
};

async function opened() {
  const shop = await openShop();
  return { shop, postbox: postboxOf(shop, worker) };
}

describe("the settings of mails", () => {
  test("name no provider at first, and every kind and reminder", async () => {
    const { shop, postbox } = await opened();
    expect(await postbox.settings()).toMatchObject({
      provider: "none",
      from_name: shop.of.account.name,
      from_address: null,
      reply_to: null,
      has_credentials: false,
      is_enabled: false,
      kinds: { receipt: { is_enabled: true }, welcome: { is_enabled: true } },
      postal_address: null,
    });
    expect((await postbox.settings()).reminders[0]).toEqual({
      interval: "YEAR",
      at_least: 1,
      days_before: 20,
    });
  });

  test("are changed by name, kinds each by itself, and show no credentials", async () => {
    const { shop, postbox } = await opened();
    expect(await postbox.set(resend)).toMatchObject({
      provider: "resend",
      has_credentials: true,
      is_enabled: true,
    });
    const changed = await postbox.set({
      reply_to: "help@shop.example.com",
      kinds: { receipt: { is_enabled: false } },
    });
    expect(changed).toMatchObject({
      from_address: "hello@shop.example.com",
      reply_to: "help@shop.example.com",
      kinds: { receipt: { is_enabled: false }, upcoming_charge: { is_enabled: true } },
    });
    expect(await postbox.settings()).toEqual(changed);
    expect(JSON.stringify(changed)).not.toContain("re_secret");
    const [row] = await select<{ secret: string }>(
      "SELECT secret FROM webhook_endpoints WHERE kind = 'mail' AND account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      shop.of.account.id,
    );
    expect(row?.secret).not.toContain("re_secret");
    const events = await api(shop.api, "GET", "/api/events", { query: { types: "account.updated" } });
    expect(events.body.data.at(-1)).toMatchObject({
      changes: { "mail.reply_to": { from: null, to: "help@shop.example.com" } },
    });
    expect(events.text).not.toContain("re_secret");
  });

  test("are checked, and not saved, by a dry run", async () => {
    const { postbox } = await opened();
    const answer = await postbox.call("PUT", "/api/account/mail", resend, { dry_run: "true" });
    expect([answer.status, answer.headers.get("dry-run"), answer.body.data.provider]).toEqual([
      200,
      "true",
      "resend",
    ]);
    expect(await postbox.settings()).toMatchObject({ provider: "none", has_credentials: false });
  });

  test.each<[string, object, string]>([
    ["no sender", { provider: "resend", credentials: { api_key: "x" } }, "from_address"],
    ["no key", { provider: "resend", from_address: "a@shop.example.com" }, "credentials.api_key"],
    ["a credential of another", { ...resend, credentials: { api_key: "x", host: "h" } }, "credentials.host"],
    ...["re_1\r\nX-Evil: 1", " re_1", "re_1\n", "re 1", "re_é", ""].map(
      (api_key): [string, object, string] => [
        `the key ${JSON.stringify(api_key)}`,
        { ...resend, credentials: { api_key } },
        "credentials.api_key",
      ],
    ),
    ...["line\nbreak", " led", "followed ", "\u0007", "\u2028"].map((password): [string, object, string] => [
      `the password ${JSON.stringify(password)}`,
      { ...smtp, credentials: { ...smtp.credentials, password } },
      "credentials.password",
    ]),
    [
      "a user of two lines",
      { ...smtp, credentials: { ...smtp.credentials, user: "a\nb" } },
      "credentials.user",
    ],
    [
      "a token of two lines",
      { ...resend, provider: "postmark", credentials: { server_token: "a\nb" } },
      "credentials.server_token",
    ],
    ["nobody to send", { is_enabled: true }, "is_enabled"],
    ["a name of two lines", { from_name: "Shop\r\nBcc: all@example.com" }, "from_name"],
    ["an address of two lines", { reply_to: "a@b.example\r\nBcc: c@d.example" }, "reply_to"],
    [
      "a reminder too early",
      { reminders: [{ interval: "YEAR", at_least: 1, days_before: 61 }] },
      "reminders.0.days_before",
    ],
  ])("are refused with %s", async (_, body, path) => {
    const { postbox } = await opened();
    const answer = await postbox.call("PUT", "/api/account/mail", body);
    expect(answer.status).toBe(400);
    expect(answer.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
  });

  test("take a password that is a sentence", async () => {
    const { postbox } = await opened();
    expect(await postbox.set(smtp)).toMatchObject({ provider: "smtp", has_credentials: true });
  });

  test.each(["staging", "production"])("do not take the log in %s", async (ENVIRONMENT) => {
    const { shop } = await opened();
    const body = { provider: "log" };
    const answer = await deployment({ ENVIRONMENT })<Json>(shop.api, "PUT", "/api/account/mail", { body });
    expect([answer.status, answer.body.details?.[0].path]).toEqual([400, "provider"]);
  });

  test("are no webhook endpoint: it is not listed, nor counted, nor reached by its id", async () => {
    const { shop, postbox } = await opened();
    await postbox.set(resend);
    const [{ id }] = (await select<{ id: string }>(
      "SELECT id FROM webhook_endpoints WHERE kind = 'mail' ORDER BY created_at DESC LIMIT 1",
    )) as [{ id: string }];
    const list = await api(shop.api, "GET", "/api/webhook-endpoints");
    expect([list.body.data, list.body.meta.total]).toEqual([[], 0]);
    for (const [method, part] of [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["POST", "/test"],
      ["GET", "/deliveries"],
    ] as const) {
      const options = method === "PUT" ? { body: { is_enabled: false } } : {};
      expect((await api(shop.api, method, `/api/webhook-endpoints/${id}${part}`, options)).status).toBe(404);
    }
    expect(await postbox.settings()).toMatchObject({ provider: "resend", is_enabled: true });
  });
});

async function sendReceipt(shop: Shop): Promise<void> {
  await shipNow(shop, worker, await linked(shop, worker));
  await worker.drain();
}

describe("switching mails off", () => {
  test("ends those that wait, makes no more, and leaves tests", async () => {
    const { shop, postbox } = await opened();
    await postbox.set(resend);
    net.answering(resendUrl, 503);
    await sendReceipt(shop);
    await postbox.set({ is_enabled: false });
    expect(await postbox.list()).toMatchObject([{ status: "SUPPRESSED", suppressed_reason: "disabled" }]);
    await sendReceipt(shop);
    net.answering(resendUrl, () => Response.json({ id: "at-resend" }));
    const test = await postbox.call("POST", "/api/account/mail/test", { to: "ada@example.com" });
    expect([test.status, test.body.data.kind]).toEqual([202, "test"]);
    await worker.drain();
    expect(await postbox.list({ status: "SENT" })).toMatchObject([
      { kind: "test", to: "ada@example.com", subject: expect.stringMatching(/^\[Test\] /), event_id: null },
    ]);
    expect((await postbox.list()).length).toBe(2);
  });

  test("tests are ten an hour", async () => {
    const { postbox } = await opened();
    expect((await postbox.call("POST", "/api/account/mail/test", { to: "a@example.com" })).status).toBe(409);
    await postbox.set({ provider: "log" });
    const statuses: number[] = [];
    for (let times = 0; times < 11; times++)
      statuses.push((await postbox.call("POST", "/api/account/mail/test", { to: "a@example.com" })).status);
    expect(statuses).toEqual([...Array(10).fill(202), 429]);
  });
});

describe("a provider that fails", () => {
  test("for a day loses nothing", async () => {
    const { shop, postbox } = await opened();
    await postbox.set(resend);
    net.answering(resendUrl, 503);
    await sendReceipt(shop);
    for (const hours of [0.1, 0.6, 2.5, 5.5, 11]) await later(worker, hours * 3600);
    expect(await postbox.list()).toMatchObject([{ status: "PENDING", attempt_count: 6 }]);
    net.answering(resendUrl, () => Response.json({ id: "at-resend" }));
    await later(worker, 15 * 3600);
    expect(await postbox.list()).toMatchObject([{ status: "SENT", attempt_count: 7, last_error: null }]);
    expect(new Set(net.to(resendUrl).map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
  });

  test("by a busy answer is tried again when it says, which counts for nothing", async () => {
    const { shop, postbox } = await opened();
    await postbox.set(resend);
    net.answering(resendUrl, 429, { "Retry-After": "30" });
    await sendReceipt(shop);
    expect(await postbox.list()).toMatchObject([{ status: "PENDING", attempt_count: 0 }]);
    net.answering(resendUrl, () => Response.json({ id: "at-resend" }));
    await later(worker, 31);
    expect(await postbox.list()).toMatchObject([{ status: "SENT", attempt_count: 1 }]);
  });

  test("by refusing the mail for good ends it; sent again it is another mail", async () => {
    const { shop, postbox } = await opened();
    await postbox.set(resend);
    net.answering(resendUrl, () => Response.json({ name: "validation_error" }, { status: 422 }));
    await sendReceipt(shop);
    const [mail] = await postbox.list();
    expect(mail).toMatchObject({ status: "FAILED", last_error: "validation_error", attempt_count: 1 });
    net.answering(resendUrl, () => Response.json({ id: "at-resend" }));
    const again = await postbox.call("POST", `/api/mails/${mail.id}/resend`);
    expect([again.status, again.body.data.status]).toEqual([202, "PENDING"]);
    expect((await postbox.call("POST", `/api/mails/${mail.id}/resend`)).status).toBe(409);
    await worker.drain();
    expect(await postbox.list()).toMatchObject([{ id: mail.id, status: "SENT" }]);
    expect(net.to(resendUrl).map(({ headers }) => headers.get("idempotency-key"))).toEqual([
      `${mail.id}-0`,
      `${mail.id}-1`,
    ]);
  });

  test("after an answer that was lost says that it has the mail", async () => {
    const { shop, postbox } = await opened();
    await postbox.set(resend);
    net.answering(resendUrl, () => Response.json({ name: "invalid_idempotent_request" }, { status: 409 }));
    await sendReceipt(shop);
    expect(await postbox.list()).toMatchObject([{ status: "SENT", provider_id: null }]);
  });
});
