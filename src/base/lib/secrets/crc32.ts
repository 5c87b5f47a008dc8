import { once } from "../once.ts";

/** The CRC-32 (IEEE 802.3) of a text's UTF-8. The runtime's own comes with all of node:zlib, which delays every start. */
export function crc32(text: string): number {
  const its = table();
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) crc = (crc >>> 8) ^ (its[(crc ^ byte) & 0xff] as number);
  return ~crc >>> 0;
}

/** The remainder that each byte leaves, by the reversed polynomial 0xedb88320. */
const table = once(() =>
  Uint32Array.from({ length: 256 }, (_, byte) => {
    let rest = byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
    return rest;
  }),
);
