import { GraphQLError } from "graphql";

export type Page = {
  first?: number | null;
  last?: number | null;
  after?: string | null;
  before?: string | null;
  reverse?: boolean | null;
};

/** A page of records, oldest first unless it is reversed. `present` is called only for the records of the page. */
export function connection<R extends { id: string }, N>(
  records: R[],
  { first, last, after, before, reverse }: Page,
  present: (record: R) => N,
) {
  const size = first ?? last ?? refuse("you must provide one of first or last", "BAD_REQUEST");
  if (size < 0 || size > greatest) refuse(`a page has at most ${greatest} nodes`, "BAD_REQUEST");
  const ordered = reverse ? records.toReversed() : records;
  const indexOf = (cursor: string): number => {
    const index = ordered.findIndex(({ id }) => cursorOf(id) === cursor);
    return index < 0 ? refuse("Invalid cursor for current pagination sort.", "BAD_REQUEST") : index;
  };
  const from = after == null ? 0 : indexOf(after) + 1;
  const to = before == null ? ordered.length : indexOf(before);
  const range = ordered.slice(from, to);
  const page = first == null ? range.slice(Math.max(0, range.length - size)) : range.slice(0, size);
  const start = from + (first == null ? range.length - page.length : 0);
  const nodes = page.map(present);
  return {
    nodes,
    edges: nodes.map((node, index) => ({ node, cursor: cursorOf(page[index]!.id) })),
    pageInfo: {
      hasNextPage: start + page.length < ordered.length,
      hasPreviousPage: start > 0,
      startCursor: page[0] ? cursorOf(page[0].id) : null,
      endCursor: page.length > 0 ? cursorOf(page.at(-1)!.id) : null,
    },
  };
}

/** Shopify's largest page. */
const greatest = 250;

function refuse(message: string, code: string): never {
  throw new GraphQLError(message, { extensions: { code } });
}

function cursorOf(id: string): string {
  return btoa(id);
}
