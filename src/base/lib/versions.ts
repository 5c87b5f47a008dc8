/** Whether a version comes before another one. Both have three numbers (semver.org), and nothing after them. */
export function isBefore(version: string, other: string): boolean {
  const [its, others] = [numbersOf(version), numbersOf(other)];
  const nth = its.findIndex((number, place) => number !== others[place]);
  return nth >= 0 && (its[nth] ?? 0) < (others[nth] ?? 0);
}

function numbersOf(version: string): number[] {
  return version.split(".").map(Number);
}
