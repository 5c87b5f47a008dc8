/** A member that JavaScript gives every object is no valid value, name or column anywhere. */
import { beforeAll, describe, expect, test } from "vitest";
import { message, toolCall } from "../edges/mcp/session.ts";
import { api } from "../support/client.ts";
import {
  jsonBodyOf,
  type Operation,
  operations,
  resolve,
  type Schema,
  titleOf,
  withJsonBody,
} from "../support/document.ts";
import { faults } from "../support/records.ts";
import { done, inDays } from "../support/shops.ts";
import { attemptsOf, chargesOf, linked, ordersOf, shipNow, useShop } from "../support/worker.ts";
import { bodyOf, call, openWorld, queryOf, type World } from "../support/world.ts";

/** Text that names something every object has: looked up in a plain object it would be found. */
const members = ["constructor", "__proto__", "toString", "valueOf", "hasOwnProperty"];

describe("a payment method of the sandbox store is a valid card, whatever its id", () => {
  const { shop, worker } = useShop();

  const paid = async (id: string, name: string): Promise<void> => {
    const { body } = await api(shop.api, "GET", `/api/subscriptions/${id}/payment-method`);
    const card = { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2034, status: "VALID" };
    expect(body.data.current).toMatchObject({ store_payment_method_id: name, ...card });
    expect((await shipNow(shop, worker, id)).status).toBe(200);
    await worker.drain();
    expect(await attemptsOf(shop, id)).toMatchObject([{ status: "SUCCEEDED", amount: 10 }]);
    expect(await chargesOf(id)).toEqual([{ amount: 1000, state: "SUCCEEDED" }]);
    expect(await ordersOf(shop, id)).toHaveLength(1);
  };

  test.each(members)("%s", async (name) => {
    const next_delivery_date = inDays(30);
    await paid(await linked(shop, worker, { next_delivery_date, store_payment_method_id: name }), name);
  });

  test.each(members)("%s, in place of another", async (name) => {
    const id = await linked(shop, worker, { next_delivery_date: inDays(30) });
    await done(shop.api, "PUT", id, "payment-method", { store_payment_method_id: name });
    await paid(id, name);
  });
});

describe("where only certain texts are valid", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });

  const closed = ({ schema }: { schema: Schema }): boolean => resolve(schema).enum !== undefined;
  const withChoice = operations.filter(({ parameters = [] }) =>
    parameters.some((parameter) => parameter.in === "query" && closed(parameter)),
  );
  const expectQueryNamed = async (operation: Operation): Promise<void> => {
    const choices = operation.parameters!.filter(
      (parameter) => parameter.in === "query" && closed(parameter),
    );
    for (const { name } of choices)
      for (const member of members) {
        const query = { ...queryOf(operation, world), [name]: member };
        const said = faults(await call(operation, world, { query }));
        expect
          .soft(said, `${titleOf(operation)} ${name}=${member}`)
          .toEqual([400, "VALIDATION_FAILED", name]);
      }
  };
  test("the query parameter that has another is named", async () => {
    expect(withChoice.length).toBeGreaterThan(0);
    for (const operation of withChoice) await expectQueryNamed(operation);
  });

  const choicesOf = (schema: Schema): string[] =>
    Object.entries(resolve(schema).properties ?? {}).flatMap(([name, field]) =>
      closed({ schema: field as Schema }) ? [name] : [],
    );
  const withField = withJsonBody.filter((operation) => choicesOf(jsonBodyOf(operation)!).length > 0);
  const expectFieldNamed = async (operation: Operation): Promise<void> => {
    for (const name of choicesOf(jsonBodyOf(operation)!))
      for (const member of members) {
        const body = { ...(bodyOf(operation, world) as object), [name]: member };
        const said = faults(await call(operation, world, { body }));
        expect
          .soft(said, `${titleOf(operation)} ${name}: ${member}`)
          .toEqual([400, "VALIDATION_FAILED", name]);
      }
  };
  test("the body field that has another is named", async () => {
    expect(withField.length).toBeGreaterThan(0);
    for (const operation of withField) await expectFieldNamed(operation);
  });

  test.each(members)("%s is no time zone, no currency and no column of an upload", async (name) => {
    const account = (body: object) => api(world.tenant, "PUT", "/api/account", { body });
    for (const field of ["timezone", "currency_code"])
      expect(faults(await account({ [field]: name }))).toEqual([400, "VALIDATION_FAILED", field]);
    const upload = operations.find(({ path }) => path === "/api/profiles/bulk-upload")!;
    const raw = `email,${name}\nada@customers.test,1\n`;
    const answer = await call(upload, world, { raw, headers: { "Content-Type": "text/csv" } });
    expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", name]);
  });

  test.each(members)("%s is no tool, no prompt and no resource", async (name) => {
    const ask = async (body: object) =>
      (await message<{ error?: { code: number } }>(world.tenant, body)).body.error?.code;
    expect(await ask(toolCall(name, {}))).toBe(-32602);
    const request = { jsonrpc: "2.0", id: 1 };
    expect(await ask({ ...request, method: "prompts/get", params: { name } })).toBe(-32602);
    expect(await ask({ ...request, method: "resources/read", params: { uri: name } })).toBe(-32602);
  });

  /** The protocol's own library leaves `__proto__` out of the arguments before a tool is given them. */
  test.each(members.filter((name) => name !== "__proto__"))("%s is no argument of a tool", async (name) => {
    const { text } = await message(world.tenant, toolCall("listSkipReasons", { [name]: "1" }));
    expect(text).toContain("unknown field");
  });
});
