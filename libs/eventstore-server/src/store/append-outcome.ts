import type { ProposedEvent } from '../log/frame.ts';
import type { ExpectedRevision } from './expected-revision.ts';

export type AppendOutcome =
  | {
      readonly kind: 'written';
      /** The revision of the last event. undefined for a tombstone and for a stream without events. */
      readonly revision: number | undefined;
      /** Position of the last event; undefined when it was written before and its stream was deleted since. */
      readonly position: number | undefined;
    }
  | { readonly kind: 'wrong_expected_version'; readonly currentRevision: number | undefined }
  | { readonly kind: 'stream_deleted' };

/** Another append is just writing the same events: the writer has to ask again. */
export interface OnItsWay {
  readonly kind: 'on_its_way';
}

export interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly ProposedEvent[];
}
