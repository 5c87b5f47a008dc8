/** A fault of a fake store's next requests: how many fail, and which. */
type Scheduled = { times?: number; on?: string };

/** Faults in the order they were added. */
export type FaultQueue<F extends Scheduled> = {
  add(fault: F): void;
  next(operation: string | null): F | undefined;
};

/** The faults of a fake store: each fails one request, or `times` requests, and only those of the operation that `on` names. */
export function faultQueue<F extends Scheduled>(): FaultQueue<F> {
  const waiting: { fault: F; left: number }[] = [];
  return {
    add(fault) {
      waiting.push({ fault, left: fault.times ?? 1 });
    },
    next(operation) {
      const index = waiting.findIndex(({ fault }) => fault.on === undefined || fault.on === operation);
      const entry = waiting[index];
      if (!entry) return undefined;
      entry.left -= 1;
      if (entry.left <= 0) waiting.splice(index, 1);
      return entry.fault;
    },
  };
}
