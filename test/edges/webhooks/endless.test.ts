/** A webhook whose body is over the limit is not read further, and counts. */
import { expect, test } from "vitest";
import { useShop } from "../../stores/shopify/shop.ts";
import { openWorker } from "../../support/worker.ts";
import { credentialsKey, hookedShop, send } from "./hooks.ts";

const shop = useShop(hookedShop);

test("a webhook whose body is over the limit is not read further: 413, and it counts", async () => {
  const counted: string[] = [];
  const limit = async ({ key }: { key: string }) => {
    counted.push(key);
    return { success: true };
  };
  const worker = openWorker({
    STORE_CREDENTIALS_KEY: credentialsKey,
    ADDRESS_LIMITER: { limit } as RateLimit,
  });
  const hook = await shop.store.webhookOf("orders/updated", {
    admin_graphql_api_id: "gid://shopify/Order/5400000000001",
  });
  const pulled: number[] = [];
  const endless = new ReadableStream({
    pull(controller) {
      pulled.push(1);
      controller.enqueue(new Uint8Array(65_536));
    },
  });
  const { status, body } = await send({ worker }, hook, { body: endless });
  expect([status, body.errorCode]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  expect(pulled.length).toBeLessThan(40);
  expect(counted).toHaveLength(1);
});
