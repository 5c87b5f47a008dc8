/** Makes a value when it is first asked for. A value whose making has failed is made again when it is next asked for. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    if (made !== undefined) return made;
    made = make();
    if (made instanceof Promise)
      made.catch(() => {
        made = undefined;
      });
    return made;
  };
}
