/** The things that a process has counted since it began, as lines of /metrics. */
export function openCounters() {
  const requests = new Map<string, number>();
  const messages = new Map<string, number>();
  return {
    countRequest: (status: number): void => add(requests, `status="${Math.floor(status / 100)}xx"`),
    countMessage: (queue: string, outcome: string): void =>
      add(messages, `queue="${queue}",outcome="${outcome}"`),
    text: (): string =>
      textOf("requests_total", "Requests that were answered since the process began.", requests) +
      textOf(
        "messages_total",
        "Messages that were handed over since the process began, by what came of them.",
        messages,
      ),
  };
}

export type Counters = ReturnType<typeof openCounters>;

function add(counts: Map<string, number>, labels: string): void {
  counts.set(labels, (counts.get(labels) ?? 0) + 1);
}

function textOf(name: string, help: string, counts: Map<string, number>): string {
  if (counts.size === 0) return "";
  const lines = [...counts].map(([labels, count]) => `perennial_${name}{${labels}} ${count}\n`);
  return `# HELP perennial_${name} ${help}\n# TYPE perennial_${name} counter\n${lines.join("")}`;
}
