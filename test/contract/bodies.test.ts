import { describe, expect, test } from "vitest";
import {
  each,
  faultsOf,
  jsonBodyOf,
  type Operation,
  resolve,
  type Schema,
  withJsonBody,
} from "../support/document.ts";
import { useWorld } from "../support/use-world.ts";
import { bodyOf, call, type World } from "../support/world.ts";

const { shared, callToSucceed } = useWorld();

const json = { "Content-Type": "application/json" };

function bytes(...parts: (string | number[])[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part)),
  );
}

function validText(operation: Operation, of: World = shared()): string {
  return JSON.stringify(bodyOf(operation, of));
}

describe("a media type that is not documented: 415 UNSUPPORTED_MEDIA_TYPE", () => {
  const types = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/merge-patch+json",
    "text/json",
    "json",
    "",
  ];
  test.each(each(withJsonBody))("%s", async (_, operation) => {
    const documented = Object.keys(operation.requestBody?.content ?? {});
    for (const type of types.filter((name) => !documented.includes(name))) {
      const raw = bytes(validText(operation));
      const { status, body } = await call(operation, shared(), { raw, headers: { "Content-Type": type } });
      expect([status, body?.errorCode], type).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    }
    const unnamed = await call(operation, shared(), { raw: bytes(validText(operation)) });
    expect(unnamed.status, "none at all").toBe(415);
  });
});

describe("application/json is accepted in any case and with parameters", () => {
  const types = [
    "Application/JSON; charset=utf-8",
    "application/json ;charset=UTF-8",
    "application/json;",
    'application/json; charset="utf-8"; profile="a;b"',
  ];
  test.each(each(withJsonBody))("%s", async (_, operation) => {
    for (const type of types) {
      const headers = { "Content-Type": type };
      const { status } = await callToSucceed(operation, (of) => ({ raw: validText(operation, of), headers }));
      expect(status, type).toBeLessThan(300);
    }
  });
});

describe("a body with a Content-Encoding: 415 UNSUPPORTED_MEDIA_TYPE", () => {
  const gzipped = (text: string): Promise<ArrayBuffer> =>
    new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
  test.each(each(withJsonBody))("%s", async (_, operation) => {
    for (const encoding of ["gzip", "br", "x-unknown"]) {
      const headers = { ...json, "Content-Encoding": encoding };
      const raw = await gzipped(validText(operation));
      const answer = await call(operation, shared(), { raw, headers });
      expect([answer.status, answer.body?.errorCode], encoding).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
      expect(answer.headers.get("Accept-Encoding")).toBe("identity");
    }
  });
});

describe("a body that is not JSON: 400 INVALID_JSON", () => {
  const texts = ["{", '{"a":}', "{'a':1}", "nul", "{}{}", '{"a":1,}', "\u0000", "NaN", "[1,]", "<xml/>"];
  test.each(each(withJsonBody))("%s", async (_, operation) => {
    for (const raw of texts) {
      const { status, body } = await call(operation, shared(), { raw, headers: json });
      expect([status, body?.errorCode], raw).toEqual([400, "INVALID_JSON"]);
    }
    const invalidUtf8 = bytes('{"label":"', [0xc3, 0x28], '"}');
    const { status, body } = await call(operation, shared(), { raw: invalidUtf8, headers: json });
    expect([status, body?.errorCode], "invalid UTF-8").toEqual([400, "INVALID_JSON"]);
  });
});

describe("JSON of another shape: 400 VALIDATION_FAILED", () => {
  test.each(each(withJsonBody))("%s", async (_, operation) => {
    const wrong = [null, true, 0, -1e308, "text", [], [[]], [null]].filter(
      (value) => faultsOf(jsonBodyOf(operation)!, value).length > 0,
    );
    for (const value of wrong) {
      const { status, body } = await call(operation, shared(), { raw: JSON.stringify(value), headers: json });
      expect([status, body?.errorCode], JSON.stringify(value)).toEqual([400, "VALIDATION_FAILED"]);
    }
  });
});

describe("an empty body is {} where all fields are optional, else 400", () => {
  test.each(each(withJsonBody))("%s", async (_, operation) => {
    const optional = faultsOf(jsonBodyOf(operation)!, {}).length === 0;
    expect(operation.requestBody?.required ?? false, "as documented").toBe(!optional);
    for (const headers of [json, {}] as Record<string, string>[]) {
      const request = { body: undefined, headers };
      if (optional) {
        const { status } = await callToSucceed(operation, () => request);
        expect(status).toBeLessThan(300);
        continue;
      }
      const { status, body } = await call(operation, shared(), request);
      expect([status, body?.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
    }
  });
});

describe("a body past the limit: 413 PAYLOAD_TOO_LARGE, with and without a Content-Length", () => {
  const padded = (text: string, size: number): Uint8Array<ArrayBuffer> => {
    const padding = new Uint8Array(size).fill(0x20);
    padding.set(new TextEncoder().encode(text));
    return padding;
  };
  test.each(each(withJsonBody))("%s", async (_, operation) => {
    const over = padded(validText(operation), operation.bodyLimit + 1);
    const sized = await call(operation, shared(), { raw: over, headers: json });
    expect([sized.status, sized.body?.errorCode]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    const chunked = await call(operation, shared(), { raw: new Blob([over]).stream(), headers: json });
    expect([chunked.status, chunked.body?.errorCode]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    const exact = await callToSucceed(operation, (of) => ({
      raw: padded(validText(operation, of), operation.bodyLimit),
      headers: json,
    }));
    expect(exact.status, "at the limit").toBeLessThan(300);
  });
});

describe("JSON that nests too deep: 400", () => {
  const deep = [
    "[".repeat(100_000),
    `${"[".repeat(65)}${"]".repeat(65)}`,
    `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`,
    `{"label":${"[".repeat(5_000)}"x"${"]".repeat(5_000)}}`,
  ];
  test.each(each(withJsonBody))("%s", async (_, operation) => {
    for (const raw of deep)
      expect((await call(operation, shared(), { raw, headers: json })).status).toBe(400);
  });
});

describe("JSON with too many values: 400", () => {
  const raw = `[${"0,".repeat(260_000)}0]`;
  test.each(each(withJsonBody))("%s", async (_, operation) => {
    const { status, body } = await call(operation, shared(), { raw, headers: json });
    expect([status, body?.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
    expect(body.details).toEqual([{ path: "", message: "holds more than 250000 values" }]);
  });
});

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

describe("text that cannot be stored unchanged, with NUL or a lone surrogate: 400 that names the field", () => {
  const texts = ["a\u0000b", "\ud800", "\udc00\ud800"];
  test.each(each(withJsonBody))("%s", async (_, operation) => {
    const places = textPlaces(jsonBodyOf(operation)!);
    const valid = bodyOf(operation, shared());
    for (const place of places)
      for (const text of texts) {
        const { status, body } = await call(operation, shared(), { body: withText(valid, place, text) });
        expect([status, body?.errorCode], place.join(".")).toEqual([400, "VALIDATION_FAILED"]);
        expect(body.details).toContainEqual(expect.objectContaining({ path: place.join(".") }));
      }
  });
});
