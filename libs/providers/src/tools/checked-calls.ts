import { isOutput, type StreamPart } from '@sluice/inference';
import { asObject, parseJson } from '../json-reader.ts';
import { malformedPart } from '../upstream-error.ts';
import type { ChangeParts } from './restore-calls.ts';

/**
 * Checks the function calls of one answer in every dialect. A call without arguments ends with an empty object, and
 * one whose arguments are encoded twice gets them decoded. A call whose arguments are no JSON object never ends: the
 * rest of the answer is dropped, and the answer fails with its usage. A call is sent when its arguments begin as an
 * object, so that another endpoint may be tried where they do not. Broken arguments of a tool that the service runs
 * pass as they are, because the model reads an error and can correct them.
 */
export function checkedCalls(served: readonly string[] = []): ChangeParts {
  let check: CallCheck | undefined;
  return (parts) => {
    if (!check && !parts.some(isCallStart)) return parts;
    check ??= new CallCheck(served);
    return check.concerns(parts) ? check.all(parts) : parts;
  };
}

const isCallStart = ({ type }: StreamPart) => type === 'tool-call-start';

interface OpenCall {
  text: string;
  /** The arguments begin as an object, or as any text that is cut later. */
  isTold: boolean;
  /** The service runs the call. */
  readonly isServed: boolean;
}

const none: readonly StreamPart[] = [];

class CallCheck {
  /** The open function calls, by part. */
  readonly #open = new Map<number, OpenCall>();
  /** The parts since the first call that is not sent yet. */
  #waiting: StreamPart[] = [];
  #hasFailed = false;
  readonly #served: ReadonlySet<string>;

  constructor(served: readonly string[]) {
    this.#served = new Set(served);
  }

  /** Returns false if the parts can pass as they are: most of a stream. */
  concerns(parts: readonly StreamPart[]): boolean {
    return this.#hasFailed || this.#open.size > 0 || parts.some(isCallStart);
  }

  all(parts: readonly StreamPart[]): readonly StreamPart[] {
    const passed: StreamPart[] = [];
    for (const part of parts) {
      const checked = this.#hasFailed ? this.#rest(part) : this.#of(part);
      if (this.#isWaiting()) this.#waiting.push(...checked);
      else passed.push(...this.#waiting.splice(0), ...checked);
    }
    return passed;
  }

  #isWaiting(): boolean {
    if (this.#hasFailed) return false;
    for (const { isTold } of this.#open.values()) if (!isTold) return true;
    return false;
  }

  #of(part: StreamPart): readonly StreamPart[] {
    switch (part.type) {
      case 'tool-call-start':
        if (!part.isCustom)
          this.#open.set(part.part, {
            text: '',
            isTold: false,
            isServed: part.namespace === undefined && this.#served.has(part.name),
          });
        return [part];
      case 'tool-call-delta': {
        const call = this.#open.get(part.part);
        return call ? grow(call, part, call.text + part.delta) : [part];
      }
      case 'correction': {
        const call = part.text === undefined ? undefined : this.#open.get(part.part);
        return call ? grow(call, part, part.text ?? '') : [part];
      }
      case 'tool-call-end':
        return this.#end(part.part, [part]);
      case 'finish':
        return this.#finish(part);
      case 'error':
        // Another endpoint may still be tried while these calls are not sent.
        this.#drop();
        return [part];
      default:
        return [part];
    }
  }

  #end(part: number, end: readonly StreamPart[]): readonly StreamPart[] {
    const call = this.#open.get(part);
    this.#open.delete(part);
    if (!call) return end;
    const text = objectText(call.text) ?? (call.isServed ? call.text : undefined);
    if (text === undefined) return this.#fail();
    return call.isTold ? end : [{ type: 'tool-call-delta', part, delta: text }, ...end];
  }

  #fail(): readonly StreamPart[] {
    this.#hasFailed = true;
    this.#drop();
    return none;
  }

  #drop(): void {
    this.#waiting = this.#waiting.filter((part) => !isOutput(part));
    this.#open.clear();
  }

  /** A call that is open at the end of a whole answer counts as complete. */
  #finish(part: Extract<StreamPart, { type: 'finish' }>): readonly StreamPart[] {
    if (part.reason === 'length' || part.reason === 'content-filter') {
      this.#open.clear();
      return [part];
    }
    const ends: StreamPart[] = [];
    for (const open of this.#open.keys()) ends.push(...this.#end(open, none));
    return this.#hasFailed ? this.#rest(part) : [...ends, part];
  }

  #rest(part: StreamPart): readonly StreamPart[] {
    if (part.type === 'finish') return [malformedPart(part.usage)];
    return part.type === 'error' || part.type === 'unread-usage' ? [part] : none;
  }
}

/** Sets the arguments so far. They are sent once they begin as an object. */
function grow(call: OpenCall, part: StreamPart, text: string): readonly StreamPart[] {
  call.text = text;
  if (call.isTold) return [part];
  call.isTold = text.trimStart().startsWith('{');
  if (!call.isTold || !('part' in part)) return none;
  return [{ type: 'tool-call-delta', part: part.part, delta: text }];
}

/** A text in a text in a text is the deepest that servers send. */
const encodingsMax = 3;

/** Returns the text of the object that arguments are or hold, or undefined if there is none. */
function objectText(text: string): string | undefined {
  let inner = text;
  for (let round = 0; round <= encodingsMax; round += 1) {
    if (inner.trim() === '') return '{}';
    const value = parseJson(inner);
    if (value === null) return '{}';
    if (asObject(value)) return inner;
    if (typeof value !== 'string') return undefined;
    inner = value;
  }
  return undefined;
}
