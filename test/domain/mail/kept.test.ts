/** A mail keeps its address for 30 days and itself for 400, and nothing of a customer who was erased. */
import { describe, expect, test } from "vitest";
import { parseEnv } from "../../../src/base/env.ts";
import { erasePersonalData } from "../../../src/domain/privacy/erase-personal-data.ts";
import { openCtx } from "../../../src/kit/context.ts";
import { execute, select, testDb } from "../../support/database.ts";
import { openShop, type Shop } from "../../support/shops.ts";
import { interrupted } from "../../support/slow-database.ts";
import { later, linked, openWorker, shipNow, useWorker } from "../../support/worker.ts";
import { network } from "../webhook-endpoints/receiver.ts";
import { log, postboxOf, resend, resendUrl } from "./postbox.ts";

const worker = useWorker();
const net = network();
const day = 86_400;

/** A shop whose customer was sent a receipt. */
async function sent(settings: object = log) {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  await postbox.set(settings);
  await shipNow(shop, worker, await linked(shop, worker));
  await worker.drain();
  return { shop, postbox };
}

describe("what is kept of a mail", () => {
  test("the address is masked after 30 days, and everything is deleted after 400", async () => {
    const { postbox } = await sent();
    const [{ id, to }] = (await postbox.list()) as [{ id: string; to: string }];
    await later(worker, 29 * day);
    const shown = async () => (await postbox.call("GET", `/api/mails/${id}`)).body.data?.to;
    expect(await shown()).toBe(to);
    await later(worker, 2 * day);
    const masked = `${to[0]}***@customers.test`;
    expect(await shown()).toBe(masked);
    expect(await select("SELECT recipient FROM mails WHERE id = ?", id)).toEqual([{ recipient: masked }]);
    await later(worker, 370 * day);
    expect(await select("SELECT id FROM mails WHERE id = ?", id)).toEqual([]);
    expect(await select("SELECT mail_id FROM mail_contents WHERE mail_id = ?", id)).toEqual([]);
    expect(await shown()).toBeUndefined();
  });

  test("nothing of a customer who was erased, who is sent nothing more", async () => {
    const { shop, postbox } = await sent();
    await postbox.set(resend);
    net.answering(resendUrl, 503);
    await shipNow(shop, worker, await linked(shop, worker));
    await worker.drain();
    await erase(shop);
    net.answering(resendUrl, () => Response.json({ id: "at-resend" }));
    const tries = net.to(resendUrl).length;
    await later(worker, 600);
    expect(net.to(resendUrl)).toHaveLength(tries);
    const mails = await postbox.list();
    expect(mails).toMatchObject([
      { status: "SUPPRESSED", suppressed_reason: "no_customer", to: null, subject: null },
      { status: "SENT", to: null, subject: null },
    ]);
    expect(await select("SELECT 1 FROM mail_contents WHERE mail_id = ?", mails[1].id)).toEqual([]);
    expect((await postbox.call("POST", `/api/mails/${mails[1].id}/resend`)).status).toBe(202);
    await later(worker, 60);
    expect(net.to(resendUrl)).toHaveLength(tries);
  });
});

describe("what is sent again by staff", () => {
  test("nothing where mails are switched off meanwhile", async () => {
    const { shop, postbox } = await sent();
    const [{ id }] = (await postbox.list()) as [{ id: string }];
    const before = () => postbox.set({ is_enabled: false });
    const racing = openWorker({ DB: interrupted(/update "mails"/, { before, once: true }) });
    const answer = await postboxOf(shop, racing).call("POST", `/api/mails/${id}/resend`);
    expect([answer.status, answer.body.errorCode]).toEqual([409, "INVALID_STATE"]);
    await worker.drain();
    expect(await postbox.list()).toMatchObject([{ id, status: "SENT" }]);
  });

  test("a mail that is older than its delivery", async () => {
    const { postbox } = await sent();
    const [{ id }] = (await postbox.list()) as [{ id: string }];
    await execute("DELETE FROM event_deliveries WHERE event_id = ?", id);
    await postbox.call("POST", `/api/mails/${id}/resend`);
    await worker.drain();
    expect(await postbox.list()).toMatchObject([{ id, status: "SENT" }]);
  });
});

async function erase({ of: { account }, profileId }: Shop): Promise<void> {
  const system = { type: "system", name: null } as const;
  const opened = { env: parseEnv(worker.bindings), db: testDb(), account, actor: system, log: () => {} };
  await erasePersonalData(await openCtx({ ...opened, realNow: new Date() }), profileId);
}
