import { z } from "@hono/zod-openapi";
import { named } from "../../../kit/http/document/describe.ts";
import { itemTexts } from "../../catalogue/schemas.ts";

const Picture = named(
  "ProductPicture",
  z.strictObject({ store_variant_id: z.string(), image_url: z.string() }),
  {
    store_variant_id: ["The variant's id, as the lines of subscriptions have it.", "variant-1-large"],
    image_url: ["The https address of its picture in the shop's catalogue.", itemTexts.image_url[1]],
  },
);

export const PicturesData = named("ProductPicturesData", z.strictObject({ data: z.array(Picture) }), {
  data: "A picture for each product in the customer's newest 25 subscriptions that has one in the shop's catalogue, at most 100.",
});
