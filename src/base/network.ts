/** The network as deliveries see it, and how long a request takes. The fault simulator puts its own in its place. */
export type Network = {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** A signal that aborts a request after so many milliseconds. */
  timeout: (ms: number) => AbortSignal;
  /** Starts a stopwatch, which tells the milliseconds since then. */
  stopwatch: () => () => number;
};

/** The runtime's own. `fetch` is looked up with each request, since tests replace it. */
export const network: Network = {
  fetch: (url, init) => fetch(url, init),
  timeout: (ms) => AbortSignal.timeout(ms),
  stopwatch: () => {
    const started = performance.now();
    return () => Math.round(performance.now() - started);
  },
};
