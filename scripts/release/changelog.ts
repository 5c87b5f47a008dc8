/** The change log with all that is unreleased under a version and its date; called again, with that date alone. */
export function withRelease(changelog: string, version: string, now: Date): string {
  const heading = `## [${version}] - ${now.toISOString().slice(0, 10)}`;
  const known = new RegExp(`^## \\[${version.replaceAll(".", "\\.")}\\] - .*$`, "m");
  if (known.test(changelog)) return changelog.replace(known, heading);
  return changelog.replace(/^## \[Unreleased\]$/m, `## [Unreleased]\n\n${heading}`);
}
