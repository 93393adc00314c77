import type { StreamPart } from '@sluice/inference';

/** Callbacks for the progress of a call. Each is called at most once. */
export interface CallProgress {
  /** The request is being sent. From now on the upstream may work on it. */
  sent(): void;
  /** A status other than 2xx was read. Nothing was served. */
  refused(): void;
  /** A 2xx head was read. The answer may be billed. */
  answered(): void;
  /** The call failed before its first output. Gets the parts read so far; an error part is the last one. */
  broke(parts: readonly StreamPart[]): void;
}
