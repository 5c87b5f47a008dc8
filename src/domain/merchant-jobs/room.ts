import { longJobStatements } from "../../base/job.ts";
import { type Instant, later } from "../../base/lib/time/dates.ts";
import type { Ctx } from "../../kit/context.ts";

/**
 * The room that a message has left: its statements and its requests to the store count together, as the platform bounds what an invocation
 * asks of others.
 */
export type Room = {
  /** Real time by now, for the lease of a page. */
  now: () => Instant;
  /** Counts a request to the store; nobody but the store's adapter knows how many a row makes, and it is one for most. */
  addStoreRequests: (many: number) => void;
  /** Whether the page that is under way has to end. */
  isUsedUp: () => boolean;
  /** Ends a page, and says whether there is time, and room for half of another one at least: pages of many statements can be cut. */
  fitsAnother: () => boolean;
};

/** The room of a message that begins now. */
export function openRoom({ db, realNow, network }: Ctx): Room {
  const elapsedMs = network.stopwatch();
  const before = db.usage.db_statements;
  let [storeRequests, last, largest] = [0, 0, 0];
  const used = () => db.usage.db_statements - before + storeRequests;
  return {
    now: () => later(realNow, elapsedMs()),
    addStoreRequests(many) {
      storeRequests += many;
    },
    isUsedUp: () => used() > longJobStatements,
    fitsAnother() {
      largest = Math.max(largest, used() - last);
      last = used();
      return used() + largest / 2 <= longJobStatements && elapsedMs() < pagesMs;
    },
  };
}

/** No page is begun after this time, so that a message is soon done and others have their turn. */
const pagesMs = 10_000;
