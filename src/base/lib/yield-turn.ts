/** Lets other requests of this isolate run. Long work calls it now and then, so that others need not wait for its end. */
export function yieldTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
