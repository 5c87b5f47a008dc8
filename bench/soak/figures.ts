/** A request's line in the log. */
type Line = { event?: string; method: string; route: string; status: number } & Figures;
type Figures = { ms: number; db_statements: number; rows_read: number };

/** The successful requests to each route, as the log tells of them. */
export class RequestFigures {
  readonly #lines = new Map<string, Figures[]>();

  add(text: string): void {
    const line = lineIn(text);
    if (line?.event !== "request" || line.status >= 300) return;
    const name = `${line.method} ${line.route}`;
    const of = this.#lines.get(name) ?? [];
    this.#lines.set(name, of);
    of.push(line);
  }

  /** The medians of each route, and how many requests they are of. */
  medians(): (Figures & { name: string; count: number })[] {
    return [...this.#lines].toSorted().map(([name, lines]) => ({
      ...{ name, count: lines.length },
      ms: medianOf(lines.map(({ ms }) => ms)),
      db_statements: medianOf(lines.map(({ db_statements }) => db_statements)),
      rows_read: medianOf(lines.map(({ rows_read }) => rows_read)),
    }));
  }
}

function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function lineIn(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}
