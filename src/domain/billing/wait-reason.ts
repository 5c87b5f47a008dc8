import type { WhyWords } from "../../base/language/why/en.ts";
import { declineReasonOf } from "../dunning/decline-reason.ts";
import { addressMissing, importHeld } from "../subscriptions/lifecycle.ts";
import { reviewCodes } from "./tables.ts";

/** The reason in words for which billing stands still, by the code of it; but for a dispute, which has a sentence of its own. */
export function waitReasonOf(code: string | null): keyof WhyWords["waits"] {
  if (code === importHeld) return "held";
  if (code === addressMissing) return "address";
  if ((reviewCodes as readonly (string | null)[]).includes(code)) return "review";
  return declineReasonOf(code, true) === "stock" ? "stock" : "shop";
}
