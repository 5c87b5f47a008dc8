import { z } from "zod";
import { diff } from "../../../base/lib/diff.ts";
import { gidOf, isIdOf, numberIn, requireGid } from "../../global-ids.ts";
import { type DesiredPlan, type StorePlans, StoreRefusalError } from "../../port.ts";
import {
  addGroupProducts,
  createPlanGroup,
  deletePlanGroup,
  readOwnGroup,
  removeGroupProducts,
  updatePlanGroup,
} from "../documents.ts";
import { type AskShopify, mutate } from "../request.ts";
import { parseResponse } from "../responses.ts";
import { groupAppId, listMarkedGroups } from "./plan-groups.ts";
import { groupInput, planInput } from "./plan-input.ts";
import { planOf, planSchema } from "./selling-plans.ts";

/**
 * Plans that are created here, each in a selling plan group of its own. Shopify shows groups of one app with the same name and
 * options as one, so a product with several plans has one choice. A group carries its plan's id (`merchantCode`), by which it
 * is found again if the answer to its creation was lost. A request that was given up may arrive late, so that a second group carries
 * the id: it is deleted.
 */
export function shopifyPlans(ask: AskShopify): StorePlans {
  return {
    isStoresOwn: (id) => isIdOf("SellingPlan", id),
    async push(desired, knownId) {
      const known = await readKnownGroup(ask, knownId);
      const marked = await listMarkedGroups(ask, desired.id);
      const id = known?.id ?? marked[0] ?? (await createGroup(ask, desired));
      await removeGroups(
        ask,
        marked.filter((other) => other !== id),
      );
      await changeGroup(ask, known ?? (await requireGroup(ask, id)), desired);
      const group = await requireGroup(ask, id);
      const left = findDifferences(group, desired);
      if (left.length > 0)
        throw new StoreRefusalError(`Shopify did not apply the change of ${left.join(", ")}`, [
          "NOT_AS_WISHED",
        ]);
      const [plan] = group.sellingPlans.nodes;
      return { groupId: String(numberIn(id)), planId: String(numberIn(plan?.id ?? "")) };
    },
    async remove(planId, knownId) {
      const known = await readKnownGroup(ask, knownId);
      const marked = await listMarkedGroups(ask, planId);
      await removeGroups(ask, [...new Set([...(known ? [known.id] : []), ...marked])]);
    },
  };
}

const groupSchema = z.object({
  id: z.string(),
  name: z.string(),
  sellingPlans: z.object({ nodes: z.array(planSchema) }),
  products: z.object({
    nodes: z.array(z.object({ id: z.string() })),
    pageInfo: z.object({ hasNextPage: z.boolean() }),
  }),
});
type Group = z.output<typeof groupSchema>;

const readSchema = z.object({ sellingPlanGroup: groupSchema.nullable() });
const createdSchema = z.object({ sellingPlanGroup: z.object({ id: z.string() }) });

/** The group that a plan had last, if Shopify still has that. */
async function readKnownGroup(ask: AskShopify, knownId: string | null): Promise<Group | undefined> {
  return knownId === null ? undefined : readGroup(ask, gidOf("SellingPlanGroup", knownId));
}

async function removeGroups(ask: AskShopify, ids: string[]): Promise<void> {
  for (const id of ids) await mutate(ask, deletePlanGroup, { id });
}

async function readGroup(ask: AskShopify, id: string): Promise<Group | undefined> {
  const { sellingPlanGroup: group } = parseResponse(readSchema, await ask(readOwnGroup, { id }));
  if (group?.products.pageInfo.hasNextPage)
    throw new StoreRefusalError("The group has more products than a plan can have", ["TOO_MANY_PRODUCTS"]);
  return group ?? undefined;
}

async function requireGroup(ask: AskShopify, id: string): Promise<Group> {
  const group = await readGroup(ask, id);
  if (group) return group;
  throw new StoreRefusalError("Shopify has no such selling plan group", ["GROUP_DOES_NOT_EXIST"]);
}

async function createGroup(ask: AskShopify, desired: DesiredPlan): Promise<string> {
  const input = {
    ...groupInput,
    appId: groupAppId,
    merchantCode: desired.id,
    sellingPlansToCreate: [planInput(desired)],
  };
  const resources = { productIds: productsOf(desired) ?? [] };
  const created = await mutate(ask, createPlanGroup, { input, resources });
  return parseResponse(createdSchema, created).sellingPlanGroup.id;
}

/** Sends what differs: the plan as a whole, its products one by one. */
async function changeGroup(ask: AskShopify, group: Group, desired: DesiredPlan): Promise<void> {
  const { id, sellingPlans } = group;
  const [plan, ...others] = sellingPlans.nodes;
  if (termsDiffer(group, desired)) {
    const sellingPlansToUpdate = [{ ...planInput(desired), id: plan?.id }];
    const sellingPlansToDelete = others.map((other) => other.id);
    const input = { name: groupInput.name, sellingPlansToUpdate, sellingPlansToDelete };
    await mutate(ask, updatePlanGroup, { id, input });
  }
  const { missing, surplus } = productChanges(group, desired);
  if (missing.length > 0) await mutate(ask, addGroupProducts, { id, products: missing });
  if (surplus.length > 0) await mutate(ask, removeGroupProducts, { id, products: surplus });
}

function findDifferences(group: Group, desired: DesiredPlan): string[] {
  const { missing, surplus } = productChanges(group, desired);
  return [
    ...(termsDiffer(group, desired) ? ["the plan"] : []),
    ...(missing.length + surplus.length > 0 ? ["its products"] : []),
  ];
}

function termsDiffer({ name, sellingPlans }: Group, desired: DesiredPlan): boolean {
  const [node, ...others] = sellingPlans.nodes;
  const read = node && planOf(node);
  if (!read || others.length > 0 || read.isPricedOtherwise || name !== groupInput.name) return true;
  const { currency_code: _, product_ids: __, ...terms } = desired;
  return Object.keys(diff(flat(read.plan), flat({ ...terms, id: read.plan.id }))).length > 0;
}

/** The terms as texts, which can be compared. */
function flat(terms: object): Record<string, string> {
  return Object.fromEntries(Object.entries(terms).map(([name, value]) => [name, JSON.stringify(value)]));
}

function productsOf({ product_ids }: DesiredPlan): string[] | null {
  return product_ids?.map((id) => requireGid("Product", id)) ?? null;
}

function productChanges({ products }: Group, desired: DesiredPlan): { missing: string[]; surplus: string[] } {
  const wanted = productsOf(desired);
  if (wanted === null) return { missing: [], surplus: [] };
  const present = products.nodes.map(({ id }) => id);
  return {
    missing: wanted.filter((id) => !present.includes(id)),
    surplus: present.filter((id) => !wanted.includes(id)),
  };
}
