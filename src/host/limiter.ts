/** So many calls of a key in each minute, which begins with the first call of any. */
export function openLimiter(limit: number): RateLimit {
  let window = { until: 0, calls: new Map<string, number>() };
  return {
    async limit({ key }) {
      const now = performance.now();
      if (now >= window.until) window = { until: now + 60_000, calls: new Map() };
      const calls = (window.calls.get(key) ?? 0) + 1;
      window.calls.set(key, calls);
      return { success: calls <= limit };
    },
  };
}
