import { GraphQLError } from "graphql";

export function globalId(kind: string, number: number | string): string {
  return `gid://shopify/${kind}/${number}`;
}

/** An id has to be a global one of these kinds, else it is an error; an unknown id of such a kind is null. */
export function checkedId(kind: string, id: string, ...others: string[]): string {
  if (!/^gid:\/\/shopify\/\w+\/[\w-]+$/.test(id))
    throw new GraphQLError(`Invalid global id '${id}'`, { extensions: { code: "INVALID_VARIABLE" } });
  if (![kind, ...others].some((one) => id.startsWith(`gid://shopify/${one}/`)))
    throw new GraphQLError(`Invalid id: ${id}`, { extensions: { code: "RESOURCE_NOT_FOUND" } });
  return id;
}

/** The form in which the service shows an id. */
export function plain(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

/** The number at the end of a global id, which REST and webhooks use. */
export function numberOf(id: string): number {
  return Number(id.split("/").at(-1));
}
