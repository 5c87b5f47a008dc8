/** A handler compiles only if it answers what the schema of its success describes. */
import { z } from "@hono/zod-openapi";
import { expect, expectTypeOf, test } from "vitest";
import type { Writable } from "../json-text.ts";
import { listOf } from "../list/pagination.ts";
import { type Answer, operation } from "./operation.ts";

const common = {
  id: "getName",
  path: "/name",
  tag: "Names",
  summary: "A name",
  credentials: "none",
} as const;
const Name = z.strictObject({ name: z.string(), nickname: z.string().nullable() });
const named = { status: 200, description: "The name.", schema: Name } as const;
const nothing = { status: 204, description: "Deleted." } as const;
const page = { status: 200, description: "A page.", contentType: "text/html", schema: z.string() } as const;

test("a handler answers what the schema of its success describes, and compiles with nothing else", () => {
  const declared = operation({
    ...common,
    method: "get",
    success: named,
    handler: () => ({ name: "Ada", nickname: null }),
  });
  expect(declared.success.schema).toBe(Name);
  operation({
    ...common,
    method: "get",
    success: named,
    // @ts-expect-error a member is missing
    handler: () => ({ name: "Ada" }),
  });
  operation({
    ...common,
    method: "get",
    success: named,
    // @ts-expect-error a member is of another type
    handler: async () => ({ name: 1, nickname: null }),
  });
  operation({
    ...common,
    method: "delete",
    success: nothing,
    // @ts-expect-error 204 has no body
    handler: async () => ({ name: "Ada", nickname: null }),
  });
  operation({
    ...common,
    method: "get",
    success: page,
    // @ts-expect-error a body that is not JSON comes as a Response, which names its media type
    handler: () => "<p>Ada</p>",
  });
});

test("an answer is the success body, now or later, or a Response", () => {
  type Body = { name: string; nickname: string | null };
  expectTypeOf<Answer<typeof named>>().toEqualTypeOf<
    Response | Writable<Body> | Promise<Response | Writable<Body>>
  >();
  expectTypeOf<Answer<typeof nothing>>().toEqualTypeOf<Promise<void> | Promise<Response | undefined>>();
  expectTypeOf<Answer<typeof page>>().toEqualTypeOf<Response | Promise<Response>>();
});

test("a list keeps the type of its items", () => {
  type Names = z.input<ReturnType<typeof namesOf>>;
  const namesOf = () => listOf(Name, "Names");
  expectTypeOf<Names["data"]>().toEqualTypeOf<{ name: string; nickname: string | null }[]>();
});
