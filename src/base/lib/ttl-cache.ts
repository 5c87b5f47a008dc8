/** A small map whose entries expire after `ttlMs`. When it is full, the oldest entry is removed. */
export function ttlCache<V>(ttlMs: number, capacity: number) {
  const entries = new Map<string, { value: V; until: number }>();
  return {
    get(key: string, nowMs: number): V | undefined {
      const entry = entries.get(key);
      if (!entry) return undefined;
      if (entry.until > nowMs) return entry.value;
      entries.delete(key);
      return undefined;
    },
    delete(key: string): void {
      entries.delete(key);
    },
    forget(matches: (value: V) => boolean): void {
      for (const [key, { value }] of entries) if (matches(value)) entries.delete(key);
    },
    set(key: string, value: V, nowMs: number): void {
      const [oldest] = entries.keys();
      if (entries.size >= capacity && oldest !== undefined) entries.delete(oldest);
      entries.set(key, { value, until: nowMs + ttlMs });
    },
  };
}
