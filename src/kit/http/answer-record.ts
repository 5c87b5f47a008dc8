/** Answers with the record that a read finds or an action returns, as it is shown. */
export async function answerRecord<Row, Item, Known extends unknown[]>(
  found: Promise<Row>,
  present: (row: Row, ...known: Known) => Item,
  ...known: Known
): Promise<{ data: Item }> {
  return { data: present(await found, ...known) };
}
