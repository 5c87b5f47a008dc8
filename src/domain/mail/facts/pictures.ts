import { raw, rows } from "../../../base/db/statement.ts";
import { pictureUrl } from "../../../base/pictures.ts";
import type { Ctx } from "../../../kit/context.ts";
import type { LetterLine, MailPicture } from "../render/facts.ts";

/** The pictures in the shop's catalogue of the goods that a mail is about: of one line where it is about that alone, else of the first few lines. */
export async function findPictures(ctx: Ctx, facts: object): Promise<MailPicture[]> {
  const { line, lines = [] } = facts as { line?: LetterLine; lines?: LetterLine[] };
  const named = (line ? [line] : lines).filter(({ store_variant_id }) => store_variant_id !== undefined);
  if (named.length === 0) return [];
  const items = await rows(ctx.db, selectPictures(ctx, named));
  const urls = new Map(items.map(({ store_variant_id, image_url }) => [store_variant_id, image_url]));
  const titles = new Map(
    named.map(({ store_variant_id, title }) => [urls.get(store_variant_id ?? ""), title]),
  );
  return [...titles]
    .flatMap(([url, title]) => (url === undefined ? [] : [{ picture_url: pictureUrl(ctx, url), title }]))
    .slice(0, most);
}

/** One row on a narrow screen. */
const most = 4;

type Item = { store_variant_id: string; image_url: string };

function selectPictures({ account }: Ctx, lines: LetterLine[]) {
  return raw<Item>(
    `SELECT store_variant_id, image_url FROM catalogue_items WHERE account_seq = ? AND image_url IS NOT NULL
      AND store_variant_id IN (SELECT value FROM json_each(?))`,
    ...[account.seq, JSON.stringify(lines.map(({ store_variant_id }) => store_variant_id))],
  );
}
