import { GraphQLError } from "graphql";

export const globalId = (kind: string, number: number | string): string => `gid://shopify/${kind}/${number}`;

/** An id has to be a global one of these kinds, else it is an error; an unknown id of such a kind is null. */
export const checkedId = (kind: string, id: string, ...others: string[]): string => {
  if (!/^gid:\/\/shopify\/\w+\/[\w-]+$/.test(id))
    throw new GraphQLError(`Invalid global id '${id}'`, { extensions: { code: "INVALID_VARIABLE" } });
  if (![kind, ...others].some((one) => id.startsWith(`gid://shopify/${one}/`)))
    throw new GraphQLError(`Invalid id: ${id}`, { extensions: { code: "RESOURCE_NOT_FOUND" } });
  return id;
};

/** The form in which the service shows an id. */
export const plain = (id: string): string => id.slice(id.lastIndexOf("/") + 1);

/** The number at the end of a global id, which REST and webhooks use. */
export const numberOf = (id: string): number => Number(id.split("/").at(-1));
