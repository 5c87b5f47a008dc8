type Range = { startOffset: number; endOffset: number; count: number };

/** Each character as often as it was executed: a block's own characters are those of no block within it. */
export function charactersExecuted(functions: { ranges: Range[] }[]): number {
  const ranges = functions
    .flatMap((each) => each.ranges)
    .toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  let sum = 0;
  const open: Range[] = [];
  for (const range of ranges) {
    while ((open.at(-1)?.endOffset ?? Number.POSITIVE_INFINITY) <= range.startOffset) open.pop();
    const around = open.at(-1);
    const length = range.endOffset - range.startOffset;
    sum += length * (range.count - (around?.count ?? 0));
    open.push(range);
  }
  return sum;
}
