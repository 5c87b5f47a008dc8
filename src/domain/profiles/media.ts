import { invalid } from "../../base/errors.ts";
import { decodeUtf8, parseJson } from "../../kit/http/json.ts";
import { parseCsv } from "./csv.ts";

/** The rows of a CSV file whose header names the fields of a profile. */
export async function profilesOfCsv(bytes: Uint8Array): Promise<unknown> {
  const { maxUpload, ProfileCreate } = await import("./schemas.ts");
  return { profiles: await parseCsv(bytes, Object.keys(ProfileCreate.shape), maxUpload) };
}

/** The rows of the file in a form's field `file`: JSON by its media type or name, else CSV. */
export async function profilesOfForm(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<unknown> {
  const { content, isJson } = await fileIn(bytes, contentType);
  return isJson ? parseJson(decodeUtf8(content)) : profilesOfCsv(content);
}

type Upload = { content: Uint8Array; isJson: boolean };

/** The only file of a form. The form's own copy of it goes before the file is parsed. */
async function fileIn(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<Upload> {
  const form = await parseForm(bytes, contentType);
  for (const name of form.keys())
    if (name !== "file") throw invalid([{ path: name, message: "unknown field" }]);
  const [file, ...more] = form.getAll("file");
  if (file === undefined || more.length > 0) throw invalid([{ path: "file", message: "is required, once" }]);
  if (typeof file === "string") return { content: new TextEncoder().encode(file), isJson: false };
  const isJson = file.type.startsWith("application/json") || file.name.toLowerCase().endsWith(".json");
  return { content: new Uint8Array(await file.arrayBuffer()), isJson };
}

async function parseForm(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { "Content-Type": contentType } }).formData();
  } catch {
    throw invalid([{ path: "file", message: "the form cannot be read" }]);
  }
}
