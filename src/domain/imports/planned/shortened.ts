import type { ErrorDetail } from "../../../base/errors.ts";
import type { ImportedLine } from "../fields.ts";

/** Ids and phone numbers that a spreadsheet has cut to a number such as 4.00123E+13: their digits are lost, and two may have become one. */
export function shortenedFaults(lines: ImportedLine[]): ErrorDetail[] {
  return lines.flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([path, value]) =>
      isNumberLike(path) && scientific.test(value.trim()) ? [{ path, message: shortened }] : [],
    ),
  );
}

const scientific = /^[+-]?\d+([.,]\d+)?e\+?\d+$/i;
const shortened =
  "is a number that a spreadsheet has shortened: format its column as text, and export it again";

function isNumberLike(field: string): boolean {
  return /_(id|ref|phone)$|^(phone_number|sku|tracking|postal_code)$/.test(field);
}
