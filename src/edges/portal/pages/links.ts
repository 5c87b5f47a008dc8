import type { ActionName } from "./actions.ts";

/** The path of a subscription's page, and the actions that lead on from it. */
export type Links = { path: string; offers: readonly ActionName[] };
