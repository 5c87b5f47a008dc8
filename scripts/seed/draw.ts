/** A number from 0 to `below` that depends on the record and the question alone: the same seed, always. */
export function draw(n: number, question: number, below: number): number {
  let x = Math.imul(n ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(question + 1, 0xc2b2ae35);
  x ^= x >>> 15;
  x = Math.imul(x, 0x27d4eb2f);
  x ^= x >>> 13;
  return (x >>> 0) % below;
}

export function pick<T>(n: number, question: number, from: readonly T[]): T {
  return from[draw(n, question, from.length)] as T;
}
