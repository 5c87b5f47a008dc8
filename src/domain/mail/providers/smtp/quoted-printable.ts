/** A text in lines of at most 76 ASCII characters (RFC 2045 §6.7). */
export function quotedPrintable(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(encodeLine)
    .join("\r\n");
}

/** A byte as `=` and two digits. */
export function encodeByte(byte: number): string {
  return `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

const lineMax = 76;

function encodeLine(line: string): string {
  const bytes = new TextEncoder().encode(line);
  let encoded = "";
  let column = 0;
  for (const [index, byte] of bytes.entries()) {
    const written = isLiteral(byte, index === bytes.length - 1)
      ? String.fromCharCode(byte)
      : encodeByte(byte);
    if (column + written.length >= lineMax) {
      encoded += "=\r\n";
      column = 0;
    }
    encoded += written;
    column += written.length;
  }
  return encoded;
}

/** Space at the end of a line may be lost on the way. */
function isLiteral(byte: number, isLast: boolean): boolean {
  const isSpace = byte === 0x20 || byte === 0x09;
  return isSpace ? !isLast : byte > 0x20 && byte < 0x7f && byte !== 0x3d;
}
