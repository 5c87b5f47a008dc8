/** Whether two of a store's ids are of one thing: some stores give the number alone as well as a path that ends in it. */
export const isSameStoreId = (one: string, other: string): boolean =>
  one.split("/").at(-1) === other.split("/").at(-1);
