/** One trip with the items of a batch; its results are in their order. It does all of them or, where it fails so that `hasDoneNothing`, none. */
type Trip<Item, Result> = (items: Item[]) => Promise<Result[]>;

type Waiting<Item, Result> = {
  items: Item[];
  resolve: (results: Result[]) => void;
  reject: (error: unknown) => void;
  again: () => void;
};

type Joining = {
  /** Waits a moment before the first trip after a rest, as works that begin at once ask for theirs one after the other. */
  gather: () => Promise<unknown>;
  /** Whether a trip that failed so has changed nothing for certain. */
  hasDoneNothing: (error: unknown) => boolean;
  itemsMax: number;
};

/**
 * Joins the trips of works that go on side by side: while one is under way, further batches wait and then make one trip together, in the
 * order in which they came. So a database that has much to do is asked seldom, and for more at once. A batch that would fail
 * takes no other with it: where a trip has done nothing, each of its batches makes one of its own, which `again` is called before.
 */
export function joinTrips<Item, Result>(
  trip: Trip<Item, Result>,
  { gather, hasDoneNothing, itemsMax }: Joining,
): (items: Item[], again: () => void) => Promise<Result[]> {
  let waiting: Waiting<Item, Result>[] = [];
  let isUnderWay = false;

  async function makeTrips(): Promise<void> {
    isUnderWay = true;
    await gather();
    while (waiting.length > 0) await makeTrip(takeTogether());
    isUnderWay = false;
  }

  /** The first that waits, and those behind it that fit beside it. */
  function takeTogether(): Waiting<Item, Result>[] {
    let [count, items] = [0, 0];
    for (const each of waiting) {
      items += each.items.length;
      if (count > 0 && items > itemsMax) break;
      count++;
    }
    const together = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return together;
  }

  async function makeTrip(together: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await trip(together.flatMap(({ items }) => items));
      let at = 0;
      for (const { items, resolve } of together) {
        resolve(results.slice(at, at + items.length));
        at += items.length;
      }
    } catch (error) {
      if (together.length === 1 || !hasDoneNothing(error)) for (const { reject } of together) reject(error);
      else for (const each of together) await makeAlone(each);
    }
  }

  async function makeAlone({ items, resolve, reject, again }: Waiting<Item, Result>): Promise<void> {
    again();
    await trip(items).then(resolve, reject);
  }

  return (items, again) =>
    new Promise((resolve, reject) => {
      waiting.push({ items, resolve, reject, again });
      if (!isUnderWay) void makeTrips();
    });
}
