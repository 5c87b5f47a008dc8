import { DomainError } from "../../../base/errors.ts";

/** A request would not do what was shown; `preview` is what it would do now, by its hash. Nothing was done. */
export class PreviewChangedError extends DomainError {
  readonly preview: unknown;
  readonly hash: string;

  constructor(preview: unknown, hash: string) {
    super("PREVIEW_CHANGED", "This has changed since it was shown: see `preview`, and ask again");
    this.preview = preview;
    this.hash = hash;
  }
}
