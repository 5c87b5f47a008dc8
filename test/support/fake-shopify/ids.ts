import { GraphQLError } from "graphql";

export const globalId = (kind: string, number: number | string): string => `gid://shopify/${kind}/${number}`;

/** Ids are global ones of the types that are asked for: others are errors, where an unknown one is null. */
export const checkedId = (kind: string, id: string, ...others: string[]): string => {
  if (!/^gid:\/\/shopify\/\w+\/[\w-]+$/.test(id))
    throw new GraphQLError(`Invalid global id '${id}'`, { extensions: { code: "INVALID_VARIABLE" } });
  if (![kind, ...others].some((one) => id.startsWith(`gid://shopify/${one}/`)))
    throw new GraphQLError(`Invalid id: ${id}`, { extensions: { code: "RESOURCE_NOT_FOUND" } });
  return id;
};

/** The number that ends a global id, as REST and webhooks have it. */
export const numberOf = (id: string): number => Number(id.split("/").at(-1));
