import type { StreamPart } from '@sluice/inference';

/** How far a call came. Each is called at most once. */
export interface CallProgress {
  /** The request begins to leave: from here on the upstream may work on it. */
  sent(): void;
  /** A status other than 2xx was read: nothing was served. */
  refused(): void;
  /** A 2xx head was read: what follows may be billed. */
  answered(): void;
  /** The call failed before its first output; the parts that were read until then, an error last where it was told. */
  broke(parts: readonly StreamPart[]): void;
}
