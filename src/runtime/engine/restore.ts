import type { Restored } from "../../base/accounts/objects.ts";
import type { Instant } from "../../base/lib/time/dates.ts";

type Recovery = Pick<DurableObjectStorage, "getBookmarkForTime" | "onNextSessionRestoreBookmark">;

/** Has the object begin its next session as it was at an instant. The bookmark `undo` leads back to its state until then. */
export async function restoreOnRestart(storage: Recovery, at: Instant): Promise<Restored> {
  const bookmark = await storage.getBookmarkForTime(new Date(at));
  return { bookmark, undo: await storage.onNextSessionRestoreBookmark(bookmark) };
}
