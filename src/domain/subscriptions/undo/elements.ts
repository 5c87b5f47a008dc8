/** A line or a discount that a change has added (`from` is null), removed (`to` is null) or changed, and its place before, else after it. */
export type ElementChange<T> = { at: number; from: T | null; to: T | null };

/** The elements in which two lists differ, by their ids. */
export function diffElements<T extends { id: string }>(before: T[], after: T[]): ElementChange<T>[] {
  const changed = before.map((from, at) => ({
    at,
    from,
    to: after.find(({ id }) => id === from.id) ?? null,
  }));
  const added = after.map((to, at) => ({ at, from: null, to }));
  return [
    ...changed.filter(({ from, to }) => !isSame(from, to)),
    ...added.filter(({ to }) => before.every(({ id }) => id !== to.id)),
  ];
}

/** The element that comes back for one that was changed; null where none does, undefined where it has been changed since. */
export type RestoreElement<T> = (now: T | undefined, change: ElementChange<T>) => T | null | undefined;

/**
 * A list with some changes of it taken back: other elements stay as they are, and one that was removed comes back to its place. Undefined
 * where an element has been changed since.
 */
export function restoreElements<T extends { id: string }>(
  list: T[],
  changes: ElementChange<T>[],
  restore: RestoreElement<T>,
): T[] | undefined {
  const restored = [...list];
  for (const change of changes.toSorted((one, other) => one.at - other.at)) {
    const { id } = (change.to ?? change.from) as T;
    const at = restored.findIndex((each) => each.id === id);
    const element = restore(restored[at], change);
    if (element === undefined) return undefined;
    if (at >= 0) restored.splice(at, 1, ...(element ? [element] : []));
    else if (element) restored.splice(change.at, 0, element);
  }
  return restored;
}

/** An element comes back if it still is as the change has left it. */
export function restoreElement<T>(now: T | undefined, { from, to }: ElementChange<T>): T | null | undefined {
  return isSame(now ?? null, to) ? from : undefined;
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
