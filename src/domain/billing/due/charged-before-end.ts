/** The condition in SQL that a subscription's next charge comes before it ends: of any other nobody is reminded. */
export function isChargedBeforeEnd(subscription: string): string {
  return `(${subscription}.ends_on IS NULL OR ${subscription}.charge_on < ${subscription}.ends_on)`;
}
