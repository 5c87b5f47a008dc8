/** Writes one line of the log. Callers pass ids, codes and figures only: no personal data, no secrets. */
export type Log = (event: string, fields?: Record<string, unknown>) => void;
