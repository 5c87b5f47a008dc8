/** The first mail repeats what a customer has agreed to: the price, how often it is paid, and how to cancel. */
import { expect, test } from "vitest";
import { switchOn } from "../../edges/portal/visitor.ts";
import { addPlan, itemOf, openShop } from "../../support/shops.ts";
import { linked, startClock, useWorker } from "../../support/worker.ts";
import { moveIn, release, rowOf } from "../imports/imports.ts";
import { postboxOf } from "./postbox.ts";

const worker = useWorker();
const consent = { text: "I agree to $12 every month, at least twice.", channel: "page" };

async function opened() {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  await postbox.set({ provider: "log" });
  await switchOn(worker, shop);
  await startClock(shop, "2030-01-01T12:00:00.000Z");
  return { shop, postbox };
}

test("where a consent is recorded, it has the price, the interval and how to cancel", async () => {
  const { shop, postbox } = await opened();
  const plan = await addPlan(shop, { billing_interval: "MONTH", min_cycles: 2 });
  const id = await linked(shop, worker, {
    consent,
    next_delivery_date: "2030-01-10",
    lines: [itemOf(plan, { price: 12 })],
  });
  const [mail, ...others] = await postbox.list({ kind: "welcome" });
  expect([mail!.status, others]).toEqual(["SENT", []]);
  const { text } = await postbox.content({ id: mail!.id });
  for (const line of [
    "Amount: $12.00",
    "Frequency: Every month",
    "How to cancel: You can cancel after 2 more payments, from Sun, Feb 10, 2030.",
  ])
    expect(text.split("\n")).toContain(line);
  expect(text).toContain(`/subscriptions/${id}`);
  expect(text).toMatch(/^Cancel contracts here: .+\/leave$/m);
});

test("a subscription that was moved in is not welcomed", async () => {
  const { shop, postbox } = await opened();
  const { id, job } = await moveIn(shop, worker, [rowOf(shop, "one")], { charge_from: "2030-01-05" });
  expect(job.status).toBe("DONE");
  await release(shop, worker, id);
  const mails = await postbox.list({ kind: "welcome" });
  expect(mails.filter(({ status }) => status !== "SUPPRESSED")).toEqual([]);
});
