import type { MakePart } from "./part.ts";

export const portalPart: MakePart = ({ account }) => ({
  writes: [],
  queries: { listPublicSkipReasons: { shop: account.shop } },
});
