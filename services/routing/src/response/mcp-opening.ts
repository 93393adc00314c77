import type { AnswerPart, InputItem } from '@sluice/inference';
import type { McpBeginning } from '../tools/mcp/beginning.ts';
import { mcpKind } from '../tools/mcp/index.ts';
import type { ShownTools } from '../tools/shown-tool.ts';
import { outputItem, type RunCall } from './run-calls.ts';
import type { ServerCall } from './turn-calls.ts';

/** The parts before the first turn. They leave with the first ones of the model, once there is a held turn. */
export class McpOpening {
  readonly calls: readonly ServerCall[];
  readonly #count: number;
  #waiting: AnswerPart[];

  constructor({ lists, approved }: McpBeginning, tools: ShownTools) {
    this.#count = lists.length + approved.length;
    this.#waiting = lists.flatMap((item, part): readonly AnswerPart[] => [
      { type: 'native-start', part, item: { ...item, tools: [] } },
      { type: 'native-end', part, item },
    ]);
    this.calls = approved.flatMap(({ id, name, arguments: text }, index): readonly ServerCall[] => {
      const [called] = [...tools].filter(([, { settings }]) => settings['name'] === name);
      if (!called) return [];
      const [shownName, shown] = called;
      const settings = { ...shown.settings, approvalId: id };
      const approvedTool = { ...shown, kind: mcpKind, settings };
      const part = lists.length + index;
      return [{ part, callId: id, name: shownName, shown: approvedTool, text }];
    });
  }

  add(parts: readonly AnswerPart[]): undefined {
    this.#waiting.push(...parts);
  }

  /** Returns the parts that did not leave yet. `firstPart` is the number of the turn's first part. */
  take(firstPart: number): readonly AnswerPart[] {
    const offset = firstPart - this.#count;
    const parts = this.#waiting;
    this.#waiting = [];
    return parts.map((part) => ('part' in part ? { ...part, part: part.part + offset } : part));
  }
}

/** Returns calls and their outputs as the model reads them. */
export function callsWithOutputs(ran: readonly RunCall[]): readonly InputItem[] {
  const calls = ran.map(({ call: { callId, name, text } }): InputItem => {
    return { type: 'function-call', callId, name, arguments: text };
  });
  return [...calls, ...ran.map(outputItem)];
}
