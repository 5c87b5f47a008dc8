import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The interfaces of the store port, each with its members and their types. */
const interfaces = new Map(
  ["src/stores/port.ts", ...globSync("src/stores/port/*.ts")].flatMap((path) => {
    const text = readFileSync(path, "utf8").replaceAll(/\/\*[\s\S]*?\*\//g, "");
    return [...text.matchAll(/^export interface (\w+)(?: extends [\w, ]+)? \{\n([\s\S]*?)^\}/gm)].map(
      ([, name, body]) => [name!, membersIn(body!)] as const,
    );
  }),
);

function membersIn(body: string): { name: string; type: string }[] {
  return [...body.matchAll(/^ {2}(\w+)\??(?:[(<]|: (.*);$)/gm)].map(([, name, type = ""]) => ({
    name: name!,
    type,
  }));
}

/** The members of a store; those of a part have its name before theirs. */
function membersOfStore(): string[] {
  const parts = interfaces.get("Store")!.filter(({ type }) => interfaces.has(type));
  const within = new Map(parts.map(({ name, type }) => [type, `${name}.`]));
  return [...interfaces].flatMap(([its, members]) =>
    members.filter(({ type }) => !interfaces.has(type)).map(({ name }) => `${within.get(its) ?? ""}${name}`),
  );
}

test("the reader finds the port's members", () => {
  expect([...interfaces.keys()].toSorted()).toEqual([
    ...["Store", "StoreContracts", "StoreDisputes", "StorePaymentMethods", "StorePlans", "StoreRecords"],
    ...["StoreRefunds", "StoreRemoteMethods"],
  ]);
  const members = membersOfStore();
  expect(members).toHaveLength(new Set(members).size);
  for (const one of ["charge", "keepsOrders", "refund", "contracts.withContractLease", "records.findOrder"])
    expect(members).toContain(one);
});

test("each member of the port has a promise, which is tested over every adapter that has it (test/stores/promises.ts)", () => {
  const stated = globSync("test/stores/*.test.ts").flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/\bpromise\(\s*"([\w.]+)"/g)].map(([, member]) => member!),
  );
  expect([...new Set(stated)].toSorted()).toEqual(membersOfStore().toSorted());
});
