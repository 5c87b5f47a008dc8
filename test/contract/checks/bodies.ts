import { expect } from "vitest";
import {
  faultsOf,
  hasSucceeded,
  jsonBodyOf,
  type Operation,
  resolve,
  type Schema,
} from "../../support/document.ts";
import { bodyOf, call, type World } from "../../support/world.ts";
import { type Checks, turnsOf } from "./check.ts";

const json = { "Content-Type": "application/json" };

export const bodyChecks: Checks = {
  "a media type that is not documented: 415 UNSUPPORTED_MEDIA_TYPE": {
    appliesTo: takesJson,
    async run(operation, { world }) {
      const documented = Object.keys(operation.requestBody?.content ?? {});
      const raw = bytes(validText(operation, world()));
      const others = otherTypes.filter((name) => !documented.includes(name));
      for (const type of turnsOf(operation, others)) {
        const answer = await call(operation, world(), { raw, headers: { "Content-Type": type } });
        expect([answer.status, answer.body?.errorCode], type).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
      }
      const unnamed = await call(operation, world(), { raw });
      expect(unnamed.status, "none at all").toBe(415);
    },
  },
  "a body as long as the limit is taken, as application/json in any case and with parameters": {
    appliesTo: takesJson,
    async run(operation, { callToSucceed }) {
      for (const type of turnsOf(operation, jsonTypes)) {
        const headers = { "Content-Type": type };
        const { status } = await callToSucceed((of) => ({
          raw: padded(validText(operation, of), operation.bodyLimit),
          headers,
        }));
        expect(hasSucceeded(operation, status), `${type} ${status}`).toBe(true);
      }
    },
  },
  "a body with a Content-Encoding: 415 UNSUPPORTED_MEDIA_TYPE": {
    appliesTo: takesJson,
    async run(operation, { world }) {
      const raw = await gzipped(validText(operation, world()));
      for (const encoding of turnsOf(operation, ["gzip", "br", "x-unknown"])) {
        const headers = { ...json, "Content-Encoding": encoding };
        const answer = await call(operation, world(), { raw, headers });
        expect([answer.status, answer.body?.errorCode], encoding).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
        expect(answer.headers.get("Accept-Encoding"), encoding).toBe("identity");
      }
    },
  },
  "a body that is not JSON: 400 INVALID_JSON": {
    appliesTo: takesJson,
    async run(operation, { world }) {
      for (const raw of turnsOf(operation, notJson, 2)) {
        const { status, body } = await call(operation, world(), { raw, headers: json });
        expect([status, body?.errorCode], String(raw)).toEqual([400, "INVALID_JSON"]);
      }
    },
  },
  "JSON of another shape: 400 VALIDATION_FAILED": {
    appliesTo: takesJson,
    async run(operation, { world }) {
      const wrong = [null, true, 0, -1e308, "text", [], [[]], [null]].filter(
        (value) => faultsOf(jsonBodyOf(operation)!, value).length > 0,
      );
      for (const value of turnsOf(operation, wrong, 3)) {
        const raw = JSON.stringify(value);
        const { status, body } = await call(operation, world(), { raw, headers: json });
        expect([status, body?.errorCode], raw).toEqual([400, "VALIDATION_FAILED"]);
      }
    },
  },
  "an empty body is {} where all fields are optional, else 400": {
    appliesTo: takesJson,
    async run(operation, { world, callToSucceed }) {
      const optional = faultsOf(jsonBodyOf(operation)!, {}).length === 0;
      expect(operation.requestBody?.required ?? false, "as documented").toBe(!optional);
      const kinds: Record<string, string>[] = [json, {}];
      for (const headers of optional ? turnsOf(operation, kinds) : kinds) {
        const request = { body: undefined, headers };
        if (optional) {
          const { status, body } = await callToSucceed(() => request);
          // While an account has skip reasons, an empty body names none.
          if (body?.errorCode !== "SKIP_REASON_REQUIRED") expect(status).toBeLessThan(300);
          continue;
        }
        const { status, body } = await call(operation, world(), request);
        expect([status, body?.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
      }
    },
  },
  "a body past the limit: 413 PAYLOAD_TOO_LARGE, with and without a Content-Length": {
    appliesTo: takesJson,
    async run(operation, { world }) {
      const over = padded(validText(operation, world()), operation.bodyLimit + 1);
      for (const raw of turnsOf<BodyInit>(operation, [over, new Blob([over]).stream()])) {
        const { status, body } = await call(operation, world(), { raw, headers: json });
        expect([status, body?.errorCode], raw === over ? "sized" : "chunked").toEqual([
          413,
          "PAYLOAD_TOO_LARGE",
        ]);
      }
    },
  },
  "JSON that nests too deep: 400": {
    appliesTo: takesJson,
    async run(operation, { world }) {
      for (const raw of turnsOf(operation, deep, 2))
        expect((await call(operation, world(), { raw, headers: json })).status, raw.slice(0, 20)).toBe(400);
    },
  },
  "JSON with too many values: 400": {
    appliesTo: takesJson,
    async run(operation, { world }) {
      const { status, body } = await call(operation, world(), { raw: manyValues, headers: json });
      expect([status, body?.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
      expect(body.details).toEqual([{ path: "", message: "holds more than 250000 values" }]);
    },
  },
  "text that cannot be stored unchanged, with NUL or a lone surrogate: 400 that names the field": {
    appliesTo: takesJson,
    async run(operation, { world }) {
      const valid = bodyOf(operation, world());
      for (const [nth, place] of textPlaces(jsonBodyOf(operation)!).entries()) {
        const text = unstorable[nth % unstorable.length]!;
        const { status, body } = await call(operation, world(), { body: withText(valid, place, text) });
        expect([status, body?.errorCode], place.join(".")).toEqual([400, "VALIDATION_FAILED"]);
        expect(body.details).toContainEqual(expect.objectContaining({ path: place.join(".") }));
      }
    },
  },
};

export function takesJson(operation: Operation): boolean {
  return jsonBodyOf(operation) !== undefined;
}

const otherTypes = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "application/merge-patch+json",
  "text/json",
  "json",
  "",
];

const jsonTypes = [
  "Application/JSON; charset=utf-8",
  "application/json ;charset=UTF-8",
  "application/json;",
  'application/json; charset="utf-8"; profile="a;b"',
];

const invalidUtf8 = bytes('{"label":"', [0xc3, 0x28], '"}');
const notJson = [
  ...["{", '{"a":}', "{'a':1}", "nul", "{}{}", '{"a":1,}', "\u0000", "NaN", "[1,]", "<xml/>"],
  invalidUtf8,
];

const unstorable = ["a\u0000b", "\ud800", "\udc00\ud800"];

const deep = [
  "[".repeat(100_000),
  `${"[".repeat(65)}${"]".repeat(65)}`,
  `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
  `{"label":${"[".repeat(5_000)}"x"${"]".repeat(5_000)}}`,
];

const manyValues = `[${"0,".repeat(260_000)}0]`;

function bytes(...parts: (string | number[])[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part)),
  );
}

function validText(operation: Operation, of: World): string {
  return JSON.stringify(bodyOf(operation, of));
}

function gzipped(text: string): Promise<ArrayBuffer> {
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
}

function padded(text: string, size: number): Uint8Array<ArrayBuffer> {
  const padding = new Uint8Array(size).fill(0x20);
  padding.set(new TextEncoder().encode(text));
  return padding;
}

type Keys = (string | number)[];

/** The paths at which a schema has text, inside arrays and objects too. */
function textPlaces(schema: Schema, at: Keys = []): Keys[] {
  const { type, properties = {}, items, oneOf = [], anyOf = [], enum: allowed } = resolve(schema);
  const types = [type].flat();
  const branches = [...oneOf, ...anyOf].flatMap((branch) => textPlaces(branch, at));
  const here = types.includes("string") && !allowed ? [at] : [];
  const members = Object.entries(properties).flatMap(([key, member]) =>
    textPlaces(member as Schema, [...at, key]),
  );
  return [...here, ...branches, ...members, ...(items ? textPlaces(items, [...at, 0]) : [])];
}

function withText(body: unknown, keys: Keys, text: string): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return text;
  const copy: Record<string | number, unknown> | unknown[] =
    typeof key === "number"
      ? [...(Array.isArray(body) ? body : [])]
      : { ...(typeof body === "object" && !Array.isArray(body) ? body : {}) };
  const inner = (copy as Record<string | number, unknown>)[key];
  return Object.assign(copy, { [key]: withText(inner, rest, text) });
}
