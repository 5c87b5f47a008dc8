/** A line in the log: of a request, of a job, or of anything else. */
type Line = { event?: string } & Partial<RequestLine & JobLine>;
type RequestLine = { method: string; route: string; status: number } & Figures;
type Figures = { ms: number; db_statements: number; rows_read: number };
type JobLine = { type: string } & JobCost;
type JobCost = { db_round_trips: number; db_statements: number; rows_read: number; rows_written: number };

/** The successful requests to each route, the jobs of each type, and how often anything else went wrong, as the log tells of them. */
export class LogFigures {
  readonly #lines = new Map<string, Figures[]>();
  readonly #jobs = new Map<string, JobCost & { count: number }>();
  readonly #others = new Map<string, number>();

  add(text: string): void {
    const line = lineIn(text);
    if (line?.event === "request") this.#addRequest(line as RequestLine);
    else if (line?.event === "job") this.#addJob(line as JobLine);
    else if (line?.event) this.#others.set(line.event, (this.#others.get(line.event) ?? 0) + 1);
  }

  #addRequest(line: RequestLine): void {
    if (line.status >= 300) return;
    const name = `${line.method} ${line.route}`;
    const of = this.#lines.get(name) ?? [];
    this.#lines.set(name, of);
    of.push(line);
  }

  #addJob(line: JobLine): void {
    const { count, ...sum } = this.#jobs.get(line.type) ?? { count: 0, ...noCost };
    this.#jobs.set(line.type, {
      count: count + 1,
      db_round_trips: sum.db_round_trips + line.db_round_trips,
      db_statements: sum.db_statements + line.db_statements,
      rows_read: sum.rows_read + line.rows_read,
      rows_written: sum.rows_written + line.rows_written,
    });
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

  /** The cost of all jobs of each type. */
  jobs(): (JobCost & { type: string; count: number })[] {
    return [...this.#jobs].toSorted().map(([type, cost]) => ({ type, ...cost }));
  }

  /** How often each other line was logged. */
  others(): [event: string, count: number][] {
    return [...this.#others].toSorted();
  }
}

const noCost: JobCost = { db_round_trips: 0, db_statements: 0, rows_read: 0, rows_written: 0 };

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
