/** The number of times at most that an answer of the store is decided anew, while customers keep changing the subscription. */
export const recordTries = 8;
