/** A provider that knows no keys is sent a mail once, whatever became of it, unless somebody waits for it. */
import { describe, expect, test } from "vitest";
import { openVisitor, switchOn } from "../../edges/portal/visitor.ts";
import { execute, select } from "../../support/database.ts";
import { inDays, openShop } from "../../support/shops.ts";
import { gate, interrupted } from "../../support/slow-database.ts";
import { later, linked, openWorker, shipNow, useWorker } from "../../support/worker.ts";
import { network } from "../webhook-endpoints/receiver.ts";
import { postboxOf } from "./postbox.ts";

const worker = useWorker();
const net = network();
const url = "https://api.postmarkapp.com/email";
const unknown = {
  status: "FAILED",
  suppressed_reason: null,
  last_error: "the outcome is unknown: the provider may have sent it",
};

/** A shop whose mails Postmark sends, which cannot tell a repetition from another mail. */
async function opened() {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  const credentials = { server_token: "token" };
  const kinds = { welcome: { is_enabled: false } };
  await postbox.set({ provider: "postmark", from_address: "hello@shop.example.com", credentials, kinds });
  return { shop, postbox };
}

describe("a provider that knows no keys", () => {
  test("is sent a mail with its token, and names it", async () => {
    const { shop, postbox } = await opened();
    net.answering(url, () => Response.json({ ErrorCode: 0, MessageID: "at-postmark" }));
    await shipNow(shop, worker, await linked(shop, worker));
    await worker.drain();
    expect(net.to(url)[0]?.headers.get("x-postmark-server-token")).toBe("token");
    expect(net.to(url)[0]?.body).toMatchObject({ To: expect.any(String), MessageStream: "outbound" });
    expect(await postbox.list()).toMatchObject([{ status: "SENT", provider_id: "at-postmark" }]);
  });

  test("is sent a receipt once, though nobody knows what became of it", async () => {
    const { shop, postbox } = await opened();
    net.answering(url, 503);
    await shipNow(shop, worker, await linked(shop, worker));
    await worker.drain();
    await later(worker, 3_600);
    expect(await postbox.list()).toMatchObject([{ ...unknown, kind: "receipt", attempt_count: 1 }]);
    expect(net.to(url)).toHaveLength(1);
  });

  test("is sent a receipt once, though its sender has died on the way", async () => {
    const { shop, postbox } = await opened();
    net.answering(url, () => new Promise<Response>(() => {}));
    await shipNow(shop, worker, await linked(shop, worker));
    const dying = worker.drain();
    await expect.poll(() => net.to(url).length).toBe(1);
    void dying;
    const [{ id }] = (await postbox.list()) as [{ id: string }];
    expect(await select("SELECT unsettled_at FROM mails WHERE id = ?", id)).not.toEqual([
      { unsettled_at: null },
    ]);
    await execute(
      "UPDATE event_deliveries SET next_attempt_at = '2026-01-01T00:00:00.000Z' WHERE event_id = ?",
      id,
    );
    await execute("UPDATE event_deliveries SET lease_until = NULL WHERE event_id = ?", id);
    await later(worker, 120);
    expect(await postbox.list()).toMatchObject([unknown]);
    expect(net.to(url)).toHaveLength(1);
  });

  test("is sent a change once, though its sender has died on the way and a slower one puts it off only then", async () => {
    const { shop, postbox } = await opened();
    const id = await linked(shop, worker, { next_delivery_date: "2035-01-01" });
    const { pass, reached, open } = gate();
    const slow = openWorker({
      DB: interrupted(/update "mails" set "recipient" = \?, "subject" = \?, "unsettled_at"/i, {
        before: pass,
      }),
    });
    await slow.call(shop.api, "POST", `/api/subscriptions/${id}/pause`);
    const puttingOff = slow.drain();
    await reached;
    net.answering(url, () => new Promise<Response>(() => {}));
    void later(worker, 301);
    await expect.poll(() => net.to(url).length).toBe(1);
    net.answering(url, () => Response.json({ ErrorCode: 0, MessageID: "at-postmark" }));
    open();
    await puttingOff;
    await later(worker, 700);
    expect(await postbox.list()).toMatchObject([{ kind: "changed", status: "FAILED" }]);
    expect(net.to(url)).toHaveLength(1);
  });

  test("is sent a mail again by a person, though mails were switched off while its sender died on the way", async () => {
    const { shop, postbox } = await opened();
    net.answering(url, () => new Promise<Response>(() => {}));
    await shipNow(shop, worker, await linked(shop, worker));
    void worker.drain();
    await expect.poll(() => net.to(url).length).toBe(1);
    for (const is_enabled of [false, true]) await postbox.set({ is_enabled });
    const [mail] = await postbox.list();
    expect(mail).toMatchObject(unknown);
    net.answering(url, () => Response.json({ ErrorCode: 0, MessageID: "at-postmark" }));
    await postbox.call("POST", `/api/mails/${mail?.id}/resend`);
    await worker.drain();
    expect(await postbox.list()).toMatchObject([{ status: "SENT", attempt_count: 1 }]);
    expect(net.to(url)).toHaveLength(2);
  });

  test("is sent a sign-in link again, as its customer waits for it", async () => {
    const { shop, postbox } = await opened();
    await switchOn(worker, shop);
    net.answering(url, 503);
    const [{ email }] = (await select("SELECT email FROM profiles WHERE id = ?", shop.profileId)) as [
      { email: string },
    ];
    await openVisitor(worker, shop).post("/login", { email });
    await worker.drain();
    net.answering(url, () => Response.json({ ErrorCode: 0, MessageID: "at-postmark" }));
    await later(worker, 10);
    expect(await postbox.list()).toMatchObject([{ kind: "login_link", status: "SENT" }]);
    expect(net.to(url)).toHaveLength(2);
  });

  test("loses no mail of an hour in which it refuses the shop's token: each is sent once, when that is right", async () => {
    const { shop, postbox } = await opened();
    net.answering(url, () => Response.json({ ErrorCode: 10 }, { status: 401 }));
    for (let quarter = 0; quarter < 4; quarter++) {
      await shipNow(shop, worker, await linked(shop, worker, { next_delivery_date: inDays(40) }));
      await worker.drain();
      await later(worker, 900);
    }
    const waiting = await postbox.list();
    expect(waiting).toHaveLength(4);
    for (const mail of waiting)
      expect(mail).toMatchObject({ kind: "receipt", status: "PENDING", last_error: "postmark_10" });
    await postbox.set({ credentials: { server_token: "right" } });
    net.answering(url, () => Response.json({ ErrorCode: 0, MessageID: "at-postmark" }));
    const asked = net.to(url).length;
    for (let hours = 0; hours < 4; hours++) await later(worker, 3_600);
    const sent = await postbox.list();
    expect(sent.map(({ id }) => id).toSorted()).toEqual(waiting.map(({ id }) => id).toSorted());
    for (const mail of sent) expect(mail).toMatchObject({ status: "SENT", provider_id: "at-postmark" });
    expect(net.to(url)).toHaveLength(asked + 4);
  });
});
