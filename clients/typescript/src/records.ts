import type { FetchOptions } from "openapi-fetch";
import type { Client } from "./client.ts";
import { unwrap } from "./error.ts";
import type { components, paths } from "./schema.ts";

/** How a page says where it is, in each kind of list. */
type Position =
  | { meta: components["schemas"]["Pagination"] }
  | { meta: components["schemas"]["EventListMeta"] }
  | { metadata: components["schemas"]["ActivityFeedMeta"] };

type Page = { data: unknown[] } & Position;
type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { "application/json": infer Body } } } };
}
  ? Body
  : never;

/** The paths of lists that have pages. */
export type ListPath = {
  [Path in keyof paths]: [AnswerOf<Path>] extends [never]
    ? never
    : AnswerOf<Path> extends Page
      ? Path
      : never;
}[keyof paths];

type RecordOf<Path extends ListPath> = AnswerOf<Path> extends { data: (infer Item)[] } ? Item : never;
type OptionsOf<Path extends ListPath> = paths[Path] extends { get: infer Get } ? FetchOptions<Get> : never;

/**
 * Every record of a list, page by page as they are needed:
 *
 *     for await (const { number } of records(client, "/api/subscriptions", { params: { query: { status: "PAUSED" } } }))
 *
 * Throws a PerennialError where a page cannot be read.
 */
export async function* records<Path extends ListPath>(
  client: Client,
  path: Path,
  options?: OptionsOf<Path>,
): AsyncGenerator<RecordOf<Path>> {
  const read = client.GET as unknown as (path: string, options: object) => Promise<Read>;
  const { params = {}, ...others } = (options ?? {}) as Untyped;
  for (let next: object | undefined = {}; next; ) {
    const query = { ...params.query, ...next };
    const page: Page = await unwrap(read(path, { ...others, params: { ...params, query } }));
    yield* page.data as RecordOf<Path>[];
    next = nextQuery(page);
  }
}

type Read = { data?: Page; error?: unknown; response: Response };
type Untyped = { params?: { query?: object } };

/** The query of the next page; undefined after the last. */
function nextQuery(page: Page): object | undefined {
  if ("metadata" in page) {
    const { current_page, last_page, total_is_estimate, per_page } = page.metadata;
    const hasMore = current_page < last_page || (total_is_estimate === true && page.data.length === per_page);
    return hasMore ? { page: current_page + 1 } : undefined;
  }
  if ("next_after" in page.meta) return page.meta.has_more ? { after: page.meta.next_after } : undefined;
  const { next_page_url, current_page } = page.meta;
  return next_page_url === null ? undefined : { page: current_page + 1 };
}
