/** The prices of Cloudflare's paid plan in dollars, as its pages had them in November 2026; `free` is included in its five dollars a month. */
export const prices = {
  rowsWritten: { each: 1 / 1e6, free: 50e6 },
  queueOperations: { each: 0.4 / 1e6, free: 1e6 },
  requests: { each: 0.3 / 1e6, free: 10e6 },
  gigabytes: { each: 0.75, free: 5 },
};

/** Of reads, of CPU and of objects, of which the plan includes more than a shop of any size uses, or little of what counts. */
export const furtherPrices = {
  rowRead: 0.001 / 1e6,
  millisecondOfCpu: 0.02 / 1e6,
  callOfObject: 0.15 / 1e6,
  secondOfObject: 0.125 * (12.5 / 1e6),
  gigabyteOfObject: 0.2,
};

/** A message is written, read and deleted. */
export const operationsOfMessage = 3;

/** Judgement: the list price of a machine with one core and 2 GB for a month, and how much of its time it is used. */
export const machine = { dollars: 12, share: 0.25 };

/** The messages of a renewal: those of its jobs and of its events together. */
export const messages = { creation: 2, renewal: 8 };

/** Judgement: the portal, the merchant's servers and webhooks together. */
export const requestsOfSubscription = 10;
