/** Time that passes only when nothing else is left to do, so that hours take seconds. */
export type VirtualTime = {
  now: () => number;
  sleep: (ms: number) => Promise<void>;
  run: () => Promise<void>;
};

type Timer = { at: number; order: number; wake: () => void };

export function virtualTime(): VirtualTime {
  const timers: Timer[] = [];
  let [now, order] = [0, 0];
  return {
    now: () => now,
    sleep: (ms) => new Promise((wake) => push(timers, { at: now + ms, order: order++, wake })),
    async run() {
      for (let next = pop(timers); next; next = pop(timers)) {
        now = next.at;
        next.wake();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** A binary heap, whose first timer is the next. */
function push(heap: Timer[], timer: Timer): void {
  let at = heap.push(timer) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(timer, heap[parent] as Timer)) break;
    heap[at] = heap[parent] as Timer;
    at = parent;
  }
  heap[at] = timer;
}

function pop(heap: Timer[]): Timer | undefined {
  const [first] = heap;
  const last = heap.pop();
  if (heap.length === 0 || !last) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1] as Timer, heap[child] as Timer)) child++;
    if (!isBefore(heap[child] as Timer, last)) break;
    heap[at] = heap[child] as Timer;
    at = child;
  }
  heap[at] = last;
  return first;
}
