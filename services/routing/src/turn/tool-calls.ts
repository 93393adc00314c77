import type { StreamPart } from '@sluice/inference';
import { argumentsCharactersMax, isBadCall, type ToolCall } from '../health/bad-call.ts';
import type { Turn } from './turn.ts';

/** Calls of one answer that are checked: the others are taken to be like them. */
const checkedCallsMax = 16;

/** Collects the first tool calls of an answer, to tell whether its endpoint makes good ones. */
export class ToolCalls {
  /** The calls by part. Absent: there are none, as in most answers. */
  #calls: Map<number, { -readonly [Field in keyof ToolCall]: ToolCall[Field] }> | undefined;
  readonly #all: ToolCall[] = [];

  add(part: StreamPart): void {
    if (part.type === 'tool-call-start') {
      if (this.#all.length >= checkedCallsMax) return void this.#calls?.delete(part.part);
      const { name, namespace, isCustom = false } = part;
      const group = namespace === undefined ? {} : { namespace };
      const call = { name, ...group, isCustom, text: '' };
      this.#calls ??= new Map();
      this.#calls.set(part.part, call);
      this.#all.push(call);
    } else if (part.type === 'tool-call-delta') {
      const call = this.#calls?.get(part.part);
      if (call && call.text.length <= argumentsCharactersMax) call.text += part.delta;
    }
  }

  get count(): number {
    return this.#all.length;
  }

  isAnyBad({ tools }: Turn['request']): boolean {
    return this.#all.some((call) => isBadCall(call, tools));
  }
}
