/** Works side by side share their trips: each batch stays whole, and one that fails takes no other with it. */
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { joinTrips } from "./joined.ts";

/** A table of one column that refuses a value twice, and what was asked of it. */
function openTable() {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE taken (value INTEGER PRIMARY KEY) STRICT");
  const trips: number[][] = [];
  const trip = async (values: number[]): Promise<number[]> => {
    trips.push(values);
    await new Promise((done) => setTimeout(done));
    database.exec("BEGIN");
    try {
      for (const value of values) database.prepare("INSERT INTO taken VALUES (?)").run(value);
      database.exec("COMMIT");
      return values.map((value) => -value);
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  };
  const rows = () =>
    database
      .prepare("SELECT value FROM taken")
      .all()
      .map(({ value }) => Number(value));
  return { trip, trips, rows };
}

const gather = () => new Promise((done) => setTimeout(done));
const isConstraint = (error: unknown) => String(error).includes("constraint");

test("batches that come at once make one trip, and those that come meanwhile the next, each with its own results", async () => {
  const { trip, trips, rows } = openTable();
  const join = joinTrips(trip, { gather, hasDoneNothing: isConstraint, itemsMax: 100 });
  const first = [[1], [2, 3]].map((values) => join(values, () => {}));
  await gather();
  const meanwhile = [[4], [5]].map((values) => join(values, () => {}));
  expect(await Promise.all([...first, ...meanwhile])).toEqual([[-1], [-2, -3], [-4], [-5]]);
  expect(trips).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  expect(rows()).toEqual([1, 2, 3, 4, 5]);
});

test("a trip has no more items than it may, unless one batch has more", async () => {
  const { trip, trips } = openTable();
  const join = joinTrips(trip, { gather, hasDoneNothing: isConstraint, itemsMax: 3 });
  await Promise.all([[1], [2, 3], [4, 5], [6, 7, 8, 9]].map((values) => join(values, () => {})));
  expect(trips).toEqual([
    [1, 2, 3],
    [4, 5],
    [6, 7, 8, 9],
  ]);
});

test("whatever batches come, each is done or refused as a whole, as one after the other would be", async () => {
  const batches = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const [joined, alone] = [openTable(), openTable()];
      const join = joinTrips(joined.trip, { gather, hasDoneNothing: isConstraint, itemsMax: 6 });
      let again = 0;
      const answers = await Promise.allSettled(all.map((values) => join(values, () => again++)));
      const expected: PromiseSettledResult<number[]>[] = [];
      for (const values of all) expected.push(...(await Promise.allSettled([alone.trip(values)])));
      expect(answers.map(({ status }) => status)).toEqual(expected.map(({ status }) => status));
      expect(joined.rows()).toEqual(alone.rows());
      expect(joined.trips.length).toBeLessThanOrEqual(all.length + again);
    }),
  );
});

test("a trip of which nobody knows whether it was made is made again by nobody", async () => {
  let made = 0;
  const lost = async () => {
    made++;
    await Promise.resolve();
    throw new Error("Network connection lost");
  };
  const join = joinTrips(lost, { gather, hasDoneNothing: isConstraint, itemsMax: 100 });
  const again = () => expect.unreachable();
  const answers = await Promise.allSettled([[1], [2], [3]].map((values) => join(values, again)));
  expect(answers.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(made).toBe(1);
});
