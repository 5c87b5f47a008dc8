/** An account's webhooks are bounded, and another account's are taken all the same. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { useShop } from "../../stores/shopify/shop.ts";
import { deployment, nobody } from "../../support/client.ts";
import type { Webhook } from "../../support/fake-shopify.ts";
import { wholeMinute } from "../../support/whole-minute.ts";
import { deliveriesOf, hookedShop, path, reach } from "./hooks.ts";

beforeEach(wholeMinute);

const shop = useShop(hookedShop);
const limit = 5;

/** A Worker whose limiter for webhooks allows as many a minute. */
function limited() {
  return deployment({ ...shop.worker.bindings, TOKENS_LIMITER: env.TEST_LIMITER, RATE_LIMIT_PER_KEY: "1" });
}

function hooks(of: typeof shop, count: number): Promise<Webhook[]> {
  return Promise.all(
    Array.from({ length: count }, (_, nth) =>
      of.store.webhookOf("orders/updated", { admin_graphql_api_id: `gid://shopify/Order/54${nth}` }),
    ),
  );
}

function sendOne({ headers, body }: Webhook) {
  return limited()(nobody, "POST", path, { headers, raw: body });
}

test("valid webhooks of an account are bounded: 429 with Retry-After, and nothing of the rest is stored", async () => {
  const answers = [];
  for (const hook of await hooks(shop, limit + 2)) answers.push(await sendOne(hook));
  expect(answers.map(({ status }) => status)).toEqual([...Array(limit).fill(200), 429, 429]);
  const last = answers.at(-1)!;
  expect(last.body.errorCode).toBe("RATE_LIMITED");
  expect(last.headers.get("Retry-After")).toBe("60");
  expect(last.headers.get("RateLimit-Policy")).toBe('"webhooks";q=5;w=60');
  expect(await deliveriesOf(shop)).toHaveLength(limit);
});

test("another account's webhooks are taken all the same", async () => {
  for (const hook of await hooks(shop, limit + 1)) await sendOne(hook);
  const other = await hookedShop();
  reach(shop, other);
  const [hook] = await hooks(other, 1);
  expect((await sendOne(hook!)).status).toBe(200);
});
