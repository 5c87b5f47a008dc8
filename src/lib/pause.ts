/** Lets whatever else waits in this isolate have its turn: long work does it now and then, so that nobody waits for all of it. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
