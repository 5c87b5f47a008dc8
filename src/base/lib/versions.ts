/** Whether a version comes before another one. Both have three numbers (semver.org), and nothing after them. */
export function isBefore(version: string, other: string): boolean {
  return sortable(version) < sortable(other);
}

function sortable(version: string): string {
  return version.replaceAll(/\d+/g, (number) => number.padStart(9, "0"));
}
