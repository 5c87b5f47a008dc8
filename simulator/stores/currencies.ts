/** With two decimals, with none and with three. */
export const currencies: [string, number][] = [
  ["USD", 4],
  ["JPY", 1],
  ["KWD", 1],
];
