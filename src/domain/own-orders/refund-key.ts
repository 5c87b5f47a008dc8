/** The key of a refund at the store: derived from its id, so that a repetition after a crash asks for the same one. */
export function refundKey(id: string): string {
  return `${prefix}${id}`;
}

/** The id of the refund of ours that a key at the store was made of; undefined for any other. */
export function ownRefundId(key: string | null): string | undefined {
  return key?.startsWith(prefix) ? key.slice(prefix.length) : undefined;
}

const prefix = "refund-";
