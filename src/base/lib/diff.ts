export type FieldChange = { from: unknown; to: unknown };

/** The fields whose value differs, each with its value before and after. */
export function diff(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, FieldChange> {
  return Object.fromEntries(
    Object.entries(after)
      .filter(([field, to]) => before[field] !== to)
      .map(([field, to]) => [field, { from: before[field] ?? null, to }]),
  );
}
