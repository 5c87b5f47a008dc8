import { aboutCharging } from "./charging.ts";
import type { Mutant } from "./edits.ts";
import { singleLayers } from "./layers.ts";
import { aboutLoss } from "./loss.ts";
import { aboutPrepaid } from "./prepaid.ts";
import { aboutRecording } from "./recording.ts";
import { aboutStores, storeLayers } from "./stores.ts";

/** Every bug that is seeded on purpose, so that it shows whether it would be found. */
export const mutants: Mutant[] = [
  ...aboutCharging,
  ...aboutLoss,
  ...aboutRecording,
  ...aboutPrepaid,
  ...aboutStores,
  ...singleLayers,
  ...storeLayers,
];
