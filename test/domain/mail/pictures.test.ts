/** A mail shows the goods that it is about by their pictures, where the shop's catalogue has some, and is whole without them. */
import { expect, test } from "vitest";
import { type Json, type Shop, subscribe } from "../../support/shops.ts";
import { useShop } from "../../support/worker.ts";
import { postboxOf } from "./postbox.ts";

const { shop, worker } = useShop();
const picture = "https://cdn.shop.example/kibble.png";

async function putCatalogue(of: Shop, image_url: string | null): Promise<void> {
  const item = {
    ...{ store_product_id: "product-1", store_variant_id: "variant-1", product_title: "Kibble", price: 10 },
    ...(image_url === null ? {} : { image_url }),
  };
  const body = { items: [item] };
  const { status, text } = await worker.call(of.api, "PUT", "/api/account/portal/catalogue", { body });
  if (status !== 200) throw new Error(text);
}

async function welcome(): Promise<Json> {
  const { list, content } = postboxOf(shop, worker);
  await subscribe(shop);
  await worker.drain();
  const [mail] = await list({ kind: "welcome" });
  return content(mail);
}

test("each product has its picture, with its name and size; the text is the same with and without", async () => {
  await postboxOf(shop, worker).set({ provider: "log" });
  await putCatalogue(shop, null);
  const plain = await welcome();
  expect(plain.html).not.toContain("<img");
  await putCatalogue(shop, picture);
  const shown = await welcome();
  expect(shown.html).toContain(`<img src="${picture}" alt="Kibble" width="72" height="72"`);
  expect(shown.html.match(/<img/g)).toHaveLength(1);
  expect(shown.text).toBe(plain.text);
});
