type Value = string | number | boolean | null | undefined | Value[] | { [key: string]: Value };

/** A value of JSON as YAML 1.2 in block style. Texts are in quotes, as JSON has them: YAML reads these. */
export function writeYaml(value: object): string {
  return `${linesOf(value as Value).join("\n")}\n`;
}

function linesOf(value: Value): string[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((item) => nested("-", item));
  const entries = isRecord(value) ? Object.entries(value).filter(([, field]) => field !== undefined) : [];
  if (entries.length === 0) return [JSON.stringify(value)];
  return entries.flatMap(([key, field]) => nested(`${keyOf(key)}:`, field));
}

/** A list's item begins beside its dash; what a key holds begins on the next line. */
function nested(mark: string, value: Value): string[] {
  const [first, ...others] = linesOf(value);
  const indented = others.map((line) => `  ${line}`);
  const isBeside = mark === "-" || !isFilled(value);
  return isBeside ? [`${mark} ${first}`, ...indented] : [mark, `  ${first}`, ...indented];
}

function isRecord(value: Value): value is { [key: string]: Value } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFilled(value: Value): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Without quotes where no reader could take the key for anything but a text. */
function keyOf(key: string): string {
  const isPlain = /^[A-Za-z_$][\w$-]*$/.test(key) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(key);
  return isPlain ? key : JSON.stringify(key);
}
