import { credentialsKeyOf, type Env } from "../../base/env.ts";
import { base64url, bytesOfBase64url } from "../../base/lib/encoding.ts";
import { isSigned, sign } from "../../base/lib/secrets/signed.ts";
import type { ExportPart } from "./resources.ts";

/** The address that a part is read from: what it is, and our signature of that. */
export async function addressOf(env: Env, part: ExportPart): Promise<string> {
  const text = base64url(new TextEncoder().encode(JSON.stringify(part)));
  return `${env.PUBLIC_URL}${partsPath}${text}.${await sign(credentialsKeyOf(env), purpose, text)}`;
}

/** The part that the last segment of an address names; undefined unless all of it is signed by us. */
export async function readAddress(env: Env, segment: string): Promise<ExportPart | undefined> {
  const [, text, signature] = /^([\w-]+)\.([0-9a-f]+)$/.exec(segment) ?? [];
  if (text === undefined || signature === undefined) return undefined;
  if (!(await isSigned(credentialsKeyOf(env), purpose, { text, signature }))) return undefined;
  return JSON.parse(new TextDecoder().decode(bytesOfBase64url(text)));
}

export const partsPath = "/exports/";

const purpose = "addresses of export parts";
