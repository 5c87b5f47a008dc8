/** Credentials are sealed for one account here and one place at its store, so they do not open if either is exchanged. */
export function ownerOf(accountId: string, place: string): string {
  return `${accountId} ${place}`;
}
