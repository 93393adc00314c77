import type { StreamPart } from '@sluice/inference';
import { parseJson } from '../json-reader.ts';
import { malformedPart } from '../upstream-error.ts';
import type { ChangeParts } from './restore-calls.ts';

/**
 * Checks the function calls of one answer in every dialect. A call without arguments ends with an empty object. A call
 * whose arguments are not JSON never ends: the rest of the answer is dropped, and the answer fails with its usage.
 */
export function checkedCalls(): ChangeParts {
  const check = new CallCheck();
  return (parts) => (check.concerns(parts) ? parts.flatMap((part) => check.of(part)) : parts);
}

class CallCheck {
  /** The arguments of the open function calls, by part. */
  readonly #open = new Map<number, string>();
  #hasFailed = false;

  /** Returns false if the parts can pass as they are: most of a stream. */
  concerns(parts: readonly StreamPart[]): boolean {
    return (
      this.#hasFailed || this.#open.size > 0 || parts.some(({ type }) => type === 'tool-call-start')
    );
  }

  of(part: StreamPart): readonly StreamPart[] {
    if (this.#hasFailed) return this.#rest(part);
    switch (part.type) {
      case 'tool-call-start':
        if (!part.isCustom) this.#open.set(part.part, '');
        return [part];
      case 'tool-call-delta': {
        const text = this.#open.get(part.part);
        if (text !== undefined) this.#open.set(part.part, text + part.delta);
        return [part];
      }
      case 'correction':
        if (part.text !== undefined && this.#open.has(part.part))
          this.#open.set(part.part, part.text);
        return [part];
      case 'tool-call-end':
        return this.#end(part.part, [part]);
      case 'finish':
        return this.#finish(part);
      default:
        return [part];
    }
  }

  #end(part: number, end: readonly StreamPart[]): readonly StreamPart[] {
    const text = this.#open.get(part);
    this.#open.delete(part);
    if (text === undefined) return end;
    if (text.trim() === '') return [{ type: 'tool-call-delta', part, delta: '{}' }, ...end];
    this.#hasFailed = parseJson(text) === undefined;
    return this.#hasFailed ? [] : end;
  }

  /** A call that is open at the end of a whole answer counts as complete. */
  #finish(part: Extract<StreamPart, { type: 'finish' }>): readonly StreamPart[] {
    if (part.reason === 'length' || part.reason === 'content-filter') return [part];
    const ends: StreamPart[] = [];
    for (const open of this.#open.keys()) ends.push(...this.#end(open, []));
    return this.#hasFailed ? this.#rest(part) : [...ends, part];
  }

  #rest(part: StreamPart): readonly StreamPart[] {
    if (part.type === 'finish') return [malformedPart(part.usage)];
    return part.type === 'error' || part.type === 'unread-usage' ? [part] : [];
  }
}
