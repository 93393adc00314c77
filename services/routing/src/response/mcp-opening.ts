import type { AnswerPart, InputItem } from '@sluice/inference';
import type { McpBeginning } from '../tools/mcp/beginning.ts';
import { mcpKind } from '../tools/mcp/index.ts';
import type { SuspendedWorker } from '../tools/subagent/workers.ts';
import type { ShownTools } from '../tools/shown-tool.ts';
import { outputItem } from './call-parts.ts';
import type { RunCall } from './run-calls.ts';
import type { ServerCall } from './turn-calls.ts';

/** The parts before the first turn. If no call runs then, they leave with the first ones of the model. */
export class McpOpening {
  readonly calls: readonly ServerCall[];
  readonly #count: number;
  #waiting: AnswerPart[];

  constructor(beginning: McpBeginning, tools: ShownTools) {
    const { lists, approved, suspended = [] } = beginning;
    this.#count = openingParts(beginning);
    this.#waiting = lists.flatMap((item, part): readonly AnswerPart[] => [
      { type: 'native-start', part, item: { ...item, tools: [] } },
      { type: 'native-end', part, item },
    ]);
    const approvals = approved.flatMap(
      ({ id, name, arguments: text }, index): readonly ServerCall[] => {
        const [called] = [...tools].filter(([, { settings }]) => settings['name'] === name);
        if (!called) return [];
        const [shownName, shown] = called;
        const settings = { ...shown.settings, approvalId: id };
        const approvedTool = { ...shown, kind: mcpKind, settings };
        const part = lists.length + index;
        return [{ part, callId: id, name: shownName, shown: approvedTool, text }];
      },
    );
    const first = lists.length + approved.length;
    const resumed = suspended.flatMap((worker, index) => workerCall(worker, first + index, tools));
    this.calls = [...approvals, ...resumed];
  }

  /** The number of the first part after those of the beginning. */
  get nextPart(): number {
    return this.#count;
  }

  /** Returns the parts that did not leave yet. `firstPart` is the number of the turn's first part. */
  take(firstPart: number): readonly AnswerPart[] {
    const offset = firstPart - this.#count;
    const parts = this.#waiting;
    this.#waiting = [];
    return parts.map((part) => ('part' in part ? { ...part, part: part.part + offset } : part));
  }
}

/** Returns the number of parts before the first turn. */
export function openingParts({ lists, approved, suspended = [] }: McpBeginning): number {
  return lists.length + approved.length + suspended.length;
}

/** Returns the call of the instance that began a worker. If the request lacks it, another one tells the failure. */
function workerCall(
  worker: SuspendedWorker,
  part: number,
  tools: ShownTools,
): readonly ServerCall[] {
  const { callId, name, taskName, taskDescription } = worker;
  const subagents = [...tools].filter(([, { tool }]) => tool.type === 'service:subagent');
  const own = subagents.find(([, { settings }]) => trimmed(settings['name']) === name);
  const [shownName, shown] = own ?? subagents[0] ?? [];
  if (shownName === undefined || !shown) return [];
  const text = JSON.stringify({ task_name: taskName, task_description: taskDescription });
  const kept = own ? worker : { ...worker, items: [] };
  return [{ part, callId, name: shownName, shown, text, worker: kept }];
}

function trimmed(name: unknown): string | undefined {
  return typeof name === 'string' ? name.trim() : undefined;
}

/** Returns calls and their outputs as the model reads them. */
export function callsWithOutputs(ran: readonly RunCall[]): readonly InputItem[] {
  const calls = ran.map(({ call: { callId, name, text } }): InputItem => {
    return { type: 'function-call', callId, name, arguments: text };
  });
  return [...calls, ...ran.map(outputItem)];
}
