import { z } from "zod";

const subscription = z.object({ subscription_id: z.string().describe("The subscription's id") });
const profile = z.object({ profile_id: z.string().describe("The profile's id") });

type Prompt = {
  title: string;
  description: string;
  /** The tools that its text names. */
  tools: string[];
  /** All arguments are text, which the protocol requires. */
  arguments: z.ZodObject;
  text(values: Record<string, string>): string;
};

/** The questions that merchants ask an agent most often. Each names the tools that lead to the answer. */
export const prompts: Record<string, Prompt> = {
  explain_failed_payment: {
    title: "Why did this payment fail?",
    description: "Finds out why a subscription's payment failed, and what can be done.",
    tools: ["getSubscription", "getSubscriptionPaymentMethods", "listActivityLogs"],
    arguments: subscription,
    text: ({ subscription_id }: { subscription_id: string }) =>
      `Explain why the last payment of subscription ${subscription_id} failed and what to do about it.
Read it with getSubscription, its payment methods with getSubscriptionPaymentMethods, and its history with
listActivityLogs (subscription_id, the last 90 days; billing_failed and dunning entries). Say in plain words what
happened, whether it will be tried again, and which of the operations its can_* flags allow would help. Change nothing.`,
  },
  plan_skip: {
    title: "Plan a skip",
    description:
      "Proposes how to skip a subscription's next deliveries, and shows the dates before it skips.",
    tools: ["getSubscription", "listUpcomingDeliveries", "listSkipReasons", "skipDeliveries"],
    arguments: subscription,
    text: ({ subscription_id }: { subscription_id: string }) =>
      `Plan a skip of subscription ${subscription_id}. Read it with getSubscription and its next deliveries with
listUpcomingDeliveries; read the reasons with listSkipReasons and ask which applies. Call skipDeliveries with
dry_run=true, show the dates before and after, and only when the user agrees call it again with the preview that it
names and an idempotency_key.`,
  },
  summarise_customer: {
    title: "Summarise a customer",
    description: "Who a customer is, what they subscribe to, and what happened lately.",
    tools: ["getProfile", "listSubscriptions", "listOrders", "listProfileActivity"],
    arguments: profile,
    text: ({ profile_id }: { profile_id: string }) =>
      `Summarise customer ${profile_id}: read getProfile, listSubscriptions (profile_id), listOrders (profile_id) and
listProfileActivity. In ten lines: who they are, what they get and when, what they have paid, what they have skipped,
paused or complained about, and what needs attention.`,
  },
};
