/** How often at most what the store said is decided anew, where customers change the subscription meanwhile. */
export const recordTries = 8;
