/** The parts of a check, in the order in which they run. The first always runs. */
export const sectionNames = ["read", "checkout", "plans", "contracts", "charge"] as const;
export type SectionName = (typeof sectionNames)[number];
