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
  for (let query: object | undefined = params.query ?? {}; query; ) {
    const answer: Read = await read(path, { ...others, params: { ...params, query } });
    const page: Page = await unwrap(Promise.resolve(answer));
    yield* page.data as RecordOf<Path>[];
    const { page: _number, ...filters }: { page?: number } = query;
    const next = nextQuery(page, answer.response);
    query = next && { ...filters, ...next };
  }
}

type Read = { response: Response } & ({ data: Page; error?: never } | { data?: never; error: unknown });
type Untyped = { params?: { query?: object } };

/**
 * The parameters that the query of the next page adds; undefined after the last. The feed says in a header alone where that
 * begins.
 */
function nextQuery(page: Page, { headers }: Response): object | undefined {
  if ("metadata" in page) return cursorOf(/<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]);
  if ("next_after" in page.meta) return page.meta.has_more ? { after: page.meta.next_after } : undefined;
  return cursorOf(page.meta.next_page_url);
}

function cursorOf(url: string | null | undefined): object | undefined {
  const cursor = url && new URL(url).searchParams.get("cursor");
  return cursor ? { cursor } : undefined;
}
