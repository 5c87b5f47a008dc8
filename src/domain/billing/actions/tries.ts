/** How often at most an answer of the store is decided anew, while customers keep changing the subscription. */
export const recordTries = 8;
