import { raw, rows } from "../../../base/db/statement.ts";
import { pictureUrl } from "../../../base/pictures.ts";
import type { Ctx } from "../../../kit/context.ts";

export type Picture = { store_variant_id: string; image_url: string };

/** The pictures of the catalogue of what is in a customer's newest subscriptions. Lines are JSON, which the builder does not look into. */
export async function listOwnPictures(ctx: Ctx): Promise<Picture[]> {
  const { db, account, actor } = ctx;
  const found = raw<Picture>(
    `SELECT DISTINCT item.store_variant_id, item.image_url FROM (
        SELECT lines FROM subscriptions WHERE account_seq = ?1 AND profile_id = ?2 ORDER BY created_at DESC, id DESC LIMIT ?3
      ) AS newest CROSS JOIN json_each(newest.lines) AS line
      CROSS JOIN catalogue_items AS item ON item.account_seq = ?1
        AND item.store_variant_id = line.value ->> 'store_variant_id' AND item.image_url IS NOT NULL
      ORDER BY item.position LIMIT ?4`,
    ...[account.seq, actor.profile_id ?? "", newest, most],
  );
  return (await rows(db, found)).map((one) => ({ ...one, image_url: pictureUrl(ctx, one.image_url) }));
}

/** The number of subscriptions that a page of the portal shows, and pictures of a few of their lines each. */
const [newest, most] = [25, 100];
