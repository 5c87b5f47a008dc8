export type ThrottleStatus = { maximumAvailable: number; currentlyAvailable: number; restoreRate: number };

/** The leaky bucket of points: each query costs some. */
export type Bucket = {
  status(): ThrottleStatus;
  /** Takes points, or none if there are too few. */
  take(points: number): boolean;
  giveBack(points: number): void;
  /** Sets the number of points that other requests of the app have left. */
  leave(points: number): void;
};

export function bucket(maximumAvailable: number, restoreRate: number, nowMs: () => number): Bucket {
  let available = maximumAvailable;
  let at = nowMs();
  const restore = (): number => {
    const now = nowMs();
    available = Math.min(maximumAvailable, available + (Math.max(0, now - at) / 1000) * restoreRate);
    at = now;
    return available;
  };
  return {
    status: () => ({ maximumAvailable, currentlyAvailable: Math.floor(restore()), restoreRate }),
    take(points) {
      if (restore() < points) return false;
      available -= points;
      return true;
    },
    giveBack(points) {
      available = Math.min(maximumAvailable, restore() + points);
    },
    leave(points) {
      restore();
      available = points;
    },
  };
}
