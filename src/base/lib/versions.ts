/** Whether a version comes before another one. Both have three numbers (semver.org), and nothing after them. */
export function isBefore(version: string, other: string): boolean {
  const [its, others] = [numbersOf(version), numbersOf(other)];
  const nth = its.findIndex((number, place) => number !== others[place]);
  return Number(its[nth]) < Number(others[nth]);
}

function numbersOf(version: string): number[] {
  return version.split(".").map(Number);
}
