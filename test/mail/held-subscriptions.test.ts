import { expect, test } from "vitest";
import { moveIn, rowOf } from "../imports/imports.ts";
import { switchOn } from "../portal/visitor.ts";
import { openShop, read } from "../support/shops.ts";
import { linked, startClock, useWorker } from "../support/worker.ts";
import { log, postboxOf } from "./postbox.ts";

const worker = useWorker();

test("a customer who is told that a card expires is told nothing of what an import holds", async () => {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  await switchOn(worker, shop);
  await postbox.set(log);
  await startClock(shop, "2034-11-20T12:00:00.000Z");
  const id = await linked(shop, worker, { next_delivery_date: "2035-03-01" });
  const { profile } = await read(shop, id);
  const row = rowOf(shop, "held", { email: profile.email, next_billing_date: "2035-03-02" });
  const { ids } = await moveIn(shop, worker, [row], { charge_from: "2034-12-01" });
  const held = await read(shop, ids.held!);
  expect(held).toMatchObject({ profile_id: shop.profileId, billing_blocked_reason: "import_held" });
  await startClock(shop, "2034-12-01T12:00:00.000Z");
  await worker.tick();
  const [mail, ...others] = await postbox.list({ kind: "card_expiring" });
  expect(others).toEqual([]);
  const { text } = await postbox.content(mail!);
  expect(text).toContain("Next charge: $10.00");
  expect(text).not.toContain("$25.00");
  expect(text).toContain(`/subscriptions/${id}/payment-method`);
});
