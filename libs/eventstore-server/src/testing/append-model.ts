import type { AppendOutcome, OnItsWay } from '../store/append-outcome.ts';
import type { ExpectedRevision } from '../store/expected-revision.ts';

export interface ModelAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly ids: readonly string[];
}

/** The answer to a writer, as far as the model knows it: the model has no positions. */
export type ModelOutcome = { readonly wrote: number } | 'wrong_expected_version';

/** Expected revisions and idempotent appends said once more, as plainly as possible. */
export class AppendModel {
  readonly log: { stream: string; id: string }[] = [];
  readonly #streams = new Map<string, string[]>();
  #remembered = new Map<string, number>();

  append({ stream, expected, ids }: ModelAppend): ModelOutcome {
    const events = this.#streams.get(stream) ?? [];
    const last = events.length - 1;
    if (expected === 'stream_exists' && last < 0) return 'wrong_expected_version';
    if (expected === 'any' || expected === 'stream_exists') {
      const known = ids.map((id) => this.#remembered.get(`${stream} ${id}`));
      if (known[0] === undefined) return this.#write(stream, events, ids);
      const lastKnown = known.at(-1);
      const all = !known.includes(undefined) && lastKnown !== undefined;
      return all ? { wrote: lastKnown } : 'wrong_expected_version';
    }
    const from = expected === 'no_stream' ? -1 : expected;
    if (from === last) return this.#write(stream, events, ids);
    const same = from < last && ids.every((id, index) => events[from + 1 + index] === id);
    return same ? { wrote: from + ids.length } : 'wrong_expected_version';
  }

  /** A new process remembers no ids for writers that name no revision. */
  restart(): void {
    this.#remembered = new Map();
  }

  #write(stream: string, events: string[], ids: readonly string[]): ModelOutcome {
    for (const id of ids) {
      this.#remembered.set(`${stream} ${id}`, events.push(id) - 1);
      this.log.push({ stream, id });
    }
    this.#streams.set(stream, events);
    return { wrote: events.length - 1 };
  }
}

export function asModelOutcome(
  outcome: AppendOutcome | OnItsWay,
): ModelOutcome | { readonly refused: string } {
  if (outcome.kind !== 'written')
    return outcome.kind === 'wrong_expected_version' ? outcome.kind : { refused: outcome.kind };
  return { wrote: outcome.revision ?? -1 };
}
