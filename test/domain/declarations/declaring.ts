import { fieldsIn, openVisitor } from "../../edges/portal/visitor.ts";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { type Json, openShop, type Shop } from "../../support/shops.ts";
import { linked, startClock, type TestWorker } from "../../support/worker.ts";

/** A shop whose mails are sent, with a customer of a known address and one subscription. */
export async function openWithCustomer(worker: TestWorker, more: object = {}) {
  const shop = await openShop({ timezone: "Europe/Berlin" });
  await startClock(shop, "2030-01-01T12:00:00.000Z");
  const email = `ada-${crypto.randomUUID()}@example.com`;
  await execute(
    "UPDATE profiles SET email = ?, email_folded = ? WHERE id = ?",
    email,
    email.toLowerCase(),
    shop.profileId,
  );
  await mailsOn(worker, shop);
  const id = await linked(shop, worker, {
    next_delivery_date: "2030-01-10",
    store_payment_method_id: "pm_success",
    ...more,
  });
  return { shop, id, email };
}

export async function mailsOn(worker: TestWorker, shop: Shop, body: object = {}): Promise<void> {
  const answer = await worker.call(shop.api, "PUT", "/api/account/mail", {
    body: { provider: "log", ...body },
  });
  if (answer.status !== 200) throw new Error(answer.text);
}

/** Fills in the form, reads it back and confirms it, as a browser does. */
export async function declare(
  worker: TestWorker,
  shop: Shop,
  form: Record<string, string>,
  page: "leave" | "withdraw" = "leave",
) {
  const visitor = openVisitor(worker, shop);
  const read = await visitor.post(`/${page}`, { name: "Ada Lovelace", ...form });
  const fields = fieldsIn(read.text, `${visitor.base}/${page}`);
  const received = await visitor.post(`/${page}`, { ...fields, confirm: "1" });
  return { visitor, read, received };
}

export async function declarationsOf(shop: Shop, query: Record<string, string> = {}): Promise<Json[]> {
  const { body } = await api<Json>(shop.api, "GET", "/api/declarations", { query });
  return body.data;
}
