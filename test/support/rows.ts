import { test } from "vitest";

/** One test of a rule by a table: it fails with every row that does, and names each. A test for each row would take longer than the rule. */
export function testRows<const Row>(title: string, rows: readonly Row[], check: (row: Row) => void): void {
  test(title, () => {
    if (rows.length === 0) throw new Error("The table has no rows");
    const faults = rows.flatMap((row) => faultOf(row, check));
    if (faults.length > 0) throw new Error(faults.join("\n"));
  });
}

function faultOf<Row>(row: Row, check: (row: Row) => void): string[] {
  try {
    check(row);
    return [];
  } catch (error) {
    return [`${JSON.stringify(row)}: ${error instanceof Error ? error.message : String(error)}`];
  }
}
