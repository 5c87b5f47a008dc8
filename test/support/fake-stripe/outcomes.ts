/** Why a charge is declined: the codes of docs.stripe.com/error-codes and docs.stripe.com/declines/codes. */
export type Failure = {
  code: string;
  decline_code?: string;
  message: string;
  /** docs.stripe.com/declines/card, "advice code": confirm_card_data, do_not_try_again or try_again_later. */
  advice_code?: string;
  network_decline_code?: string;
  param?: string;
};

/** The outcome of a confirmation. */
export type Outcome =
  | { is: "success" }
  | { is: "decline"; failure: Failure }
  /**
   * The customer has to authenticate; `outcome` follows then. Off-session it is declined with authentication_required, unless
   * `evenOffSession` is set: then the intent waits for its customer.
   */
  | { is: "challenge"; outcome: Outcome; evenOffSession?: boolean }
  /** A bank debit, which takes days: processing until settle() is called. */
  | { is: "processing"; outcome: Outcome };

/** Messages as docs.stripe.com/testing and docs.stripe.com/error-codes have them, where they do; else guesses, which nothing may read. */
const messages = new Map(
  Object.entries({
    card_declined: "Your card was declined.",
    insufficient_funds: "Your card has insufficient funds.",
    expired_card: "Your card has expired.",
    incorrect_cvc: "Your card's security code is incorrect.",
    incorrect_number: "Your card number is incorrect.",
    processing_error: "An error occurred while processing your card. Try again in a little bit.",
    authentication_required:
      "Your card was declined. This transaction requires authentication. Please check your card details and try again.",
  }),
);

/**
 * The failure of a decline code: expired_card, incorrect_cvc, incorrect_number and processing_error are codes of their own, the others
 * decline codes of card_declined (docs.stripe.com/testing#declined-payments).
 */
export function failureBy(declineCode: string, more: Partial<Failure> = {}): Failure {
  const isOwnCode =
    /^(expired_card|incorrect_(cvc|number|zip)|processing_error|authentication_required)$/.test(declineCode);
  const code = isOwnCode ? declineCode : "card_declined";
  const message = messages.get(declineCode) ?? messages.get("card_declined")!;
  return { code, decline_code: declineCode, message, ...more };
}

export function decline(declineCode: string, more?: Partial<Failure>): Outcome {
  return { is: "decline", failure: failureBy(declineCode, more) };
}

const success: Outcome = { is: "success" };

/** Outcomes by name, for payment methods and for nextOutcomes(). */
export const outcomes = {
  success,
  decline,
  /** A failure by its error code alone, as bank debits have them. */
  failure: (code: string, message = code): Outcome => ({ is: "decline", failure: { code, message } }),
  challenge: (outcome: Outcome = success, more: { evenOffSession?: boolean } = {}): Outcome => ({
    is: "challenge",
    outcome,
    ...more,
  }),
  processing: (outcome: Outcome = success): Outcome => ({ is: "processing", outcome }),
};
