/** A mail that comes back stops further mail to its address, until the customer has another. */
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { api, nobody } from "../../support/client.ts";
import { type Json, openShop, type Shop } from "../../support/shops.ts";
import { staff } from "../../support/tenant.ts";
import { linked, shipNow, useWorker } from "../../support/worker.ts";
import { network } from "../webhook-endpoints/receiver.ts";
import { postboxOf, resend, resendUrl } from "./postbox.ts";

const worker = useWorker();
const net = network();
const secret = `whsec_${btoa("a secret of thirty-two characters")}`;

/** A shop whose customer was sent a receipt by Resend. */
async function sent() {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  await postbox.set({ ...resend, credentials: { api_key: "re_secret", webhook_secret: secret } });
  const providerId = crypto.randomUUID();
  net.answering(resendUrl, () => Response.json({ id: providerId }));
  await shipNow(shop, worker, await linked(shop, worker));
  await worker.drain();
  return { shop, postbox, providerId };
}

/** A webhook as Resend sends it. */
function report({ of }: Shop, body: object, key = secret) {
  const [raw, id, at] = [JSON.stringify(body), "msg_1", new Date()];
  const headers = {
    "Content-Type": "application/json",
    "svix-id": id,
    "svix-timestamp": String(Math.floor(at.getTime() / 1000)),
    "svix-signature": new Webhook(key).sign(id, at, raw),
  };
  return worker.call(nobody, "POST", `/webhooks/mail/resend/${of.account.id}`, { raw, headers });
}

function bounced(email_id: string, type = "Permanent") {
  return { type: "email.bounced", data: { email_id, bounce: { type } } };
}

async function profileOf(shop: Shop): Promise<Json> {
  return (await api(await staff(shop.of), "GET", `/api/profiles/${shop.profileId}`)).body.data;
}

function suppressions(shop: Shop): Promise<Json> {
  return api(shop.api, "GET", "/api/events", { query: { types: "profile.email_suppressed" } });
}

describe("a provider tells of a mail that came back", () => {
  test("the mail is BOUNCED, its customer is written to no more, and that is an event, once", async () => {
    const { shop, postbox, providerId } = await sent();
    for (let times = 0; times < 2; times++)
      expect((await report(shop, bounced(providerId))).status).toBe(200);
    const [mail] = await postbox.list();
    expect(mail.status).toBe("BOUNCED");
    expect(await profileOf(shop)).toMatchObject({ email_status: "suppressed" });
    expect((await suppressions(shop)).body.data).toMatchObject([
      { subject: { type: "profile", id: shop.profileId }, metadata: { mail_id: mail.id, status: "BOUNCED" } },
    ]);
    await shipNow(shop, worker, await linked(shop, worker));
    await worker.drain();
    expect(await postbox.list()).toMatchObject([
      { status: "SUPPRESSED", suppressed_reason: "address_suppressed" },
      { status: "BOUNCED" },
    ]);
    expect(net.to(resendUrl)).toHaveLength(1);
  });

  test("a complaint says more than a return, a passing failure less", async () => {
    const { shop, postbox, providerId } = await sent();
    await report(shop, bounced(providerId, "Transient"));
    expect(await postbox.list()).toMatchObject([{ status: "BOUNCED" }]);
    expect(await profileOf(shop)).toMatchObject({ email_status: null });
    await report(shop, { type: "email.complained", data: { email_id: providerId } });
    expect(await postbox.list()).toMatchObject([{ status: "COMPLAINED" }]);
    expect(await profileOf(shop)).toMatchObject({ email_status: "suppressed" });
  });

  test("an address that the customer has replaced since is theirs no more", async () => {
    const { shop, providerId } = await sent();
    const body = { email: "new@customers.test" };
    await api(await staff(shop.of), "PUT", `/api/profiles/${shop.profileId}`, { body });
    await report(shop, bounced(providerId));
    expect(await profileOf(shop)).toMatchObject({ email_status: null });
  });

  test("another signature, another account's and an unknown mail change nothing", async () => {
    const [{ shop, postbox, providerId }, other] = [await sent(), await sent()];
    const wrong = `whsec_${btoa("another secret of thirty-two chars")}`;
    expect((await report(shop, bounced(providerId), wrong)).status).toBe(401);
    expect((await report(other.shop, bounced(providerId))).status).toBe(200);
    expect((await report(shop, bounced("unknown"))).status).toBe(200);
    expect((await report(shop, { type: "email.delivered", data: { email_id: providerId } })).status).toBe(
      200,
    );
    expect(await postbox.list()).toMatchObject([{ status: "SENT" }]);
    for (const each of [shop, other.shop])
      expect(await profileOf(each)).toMatchObject({ email_status: null });
  });
});
