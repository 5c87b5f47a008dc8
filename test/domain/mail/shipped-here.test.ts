/** An order that is shipped here is told to its customer once, with its tracking. */
import { expect, test } from "vitest";
import { useShop } from "../../support/worker.ts";
import { ownOrders } from "../orders/own-orders.ts";
import { log, postboxOf } from "./postbox.ts";

const { shop, worker } = useShop();
const { call, placed } = ownOrders(shop, worker);

test("an order that is shipped here is told to its customer once, with its tracking, as one of the store's is", async () => {
  const { set, list, content } = postboxOf(shop, worker);
  await set(log);
  const { id } = await placed();
  const tracking = {
    tracking_number: "1Z9",
    tracking_company: "UPS",
    tracking_url: "https://track.example.com/1Z9",
  };
  const fulfill = async (body: object) => {
    await call("PUT", id, "/fulfillment", body);
    await worker.drain();
  };
  const shipped = async () => (await list()).filter(({ kind }) => kind === "shipped");
  await fulfill({ fulfillment_status: "PARTIALLY_FULFILLED" });
  expect(await shipped()).toEqual([]);
  await fulfill({ fulfillment_status: "FULFILLED", ...tracking });
  await fulfill({ fulfillment_status: "FULFILLED", ...tracking, tracking_number: "1Z10" });
  await fulfill({ fulfillment_status: "FULFILLED" });
  const [mail, ...others] = await shipped();
  expect([mail.status, others]).toEqual(["SENT", []]);
  expect((await content(mail)).text).toContain("https://track.example.com/1Z9");
});
