import { chargeSection } from "./charge.ts";
import { checkoutSection } from "./checkout.ts";
import { contractsSection } from "./contracts.ts";
import { plansSection } from "./plans.ts";
import { readSection } from "./read.ts";
import type { Section } from "./section.ts";

/** Every section, in the order in which they run: the first two write nothing, the last makes charges. */
export const sections: Section[] = [
  readSection,
  checkoutSection,
  plansSection,
  contractsSection,
  chargeSection,
];
