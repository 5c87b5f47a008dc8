/** How many records to create, and after how many of each. The n-th record is always the same except for its time. */
export type Amounts = { profiles: number; subscriptions: number; orders: number };
export type Extent = { amounts: Amounts; after: Amounts; nextNumber: number };

/** Consecutive records of a kind, the last one included. */
export type Range = { first: number; last: number };

export function numbersIn({ first, last }: Range): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
