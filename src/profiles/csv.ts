import { invalid } from "../errors.ts";
import { decodeUtf8, parseJson } from "../http/json.ts";

/**
 * Rows of a CSV text (RFC 4180) as objects by header; an empty cell is an absent field, though
 * its name is still there to be checked.
 * Throws VALIDATION_FAILED where the text is not CSV or a header repeats.
 */
export const parseCsv = async (text: string): Promise<Record<string, string | undefined>[]> => {
  const { CsvError, parse } = await import("csv-parse/sync");
  const read = (): string[][] => {
    try {
      return parse(text, { bom: true, skip_empty_lines: true });
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      const row = Math.max(0, Number(error.records ?? 1) - 1);
      throw invalid([{ path: `profiles.${row}`, message: error.message }]);
    }
  };
  const [header = [], ...records] = read();
  const names = header.map((name) => name.trim());
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw invalid([{ path: repeated, message: "is a column more than once" }]);
  return records.map((cells) =>
    Object.fromEntries(names.map((name, index) => [name, cells[index] || undefined])),
  );
};

export const profilesOfCsv = async (bytes: Uint8Array<ArrayBuffer>): Promise<unknown> => ({
  profiles: await parseCsv(decodeUtf8(bytes)),
});

const formOf = async (bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> => {
  try {
    return await new Response(bytes, { headers: { "Content-Type": contentType } }).formData();
  } catch {
    throw invalid([{ path: "file", message: "the form cannot be read" }]);
  }
};

/** The upload in a form's field `file`: JSON where the file says so, else CSV. */
export const profilesOfForm = async (
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<unknown> => {
  const form = await formOf(bytes, contentType);
  const other = [...form.keys()].find((name) => name !== "file");
  if (other !== undefined) throw invalid([{ path: other, message: "unknown field" }]);
  const [file, ...more] = form.getAll("file");
  if (file === undefined || more.length > 0) throw invalid([{ path: "file", message: "is required, once" }]);
  if (typeof file === "string") return profilesOfCsv(Uint8Array.from(new TextEncoder().encode(file)));
  const content = new Uint8Array(await file.arrayBuffer());
  const isJson = file.type.startsWith("application/json") || file.name.toLowerCase().endsWith(".json");
  return isJson ? parseJson(decodeUtf8(content)) : profilesOfCsv(content);
};
