import { isObject } from '@sluice/client-schemas';
import type { AnswerPart, InputItem } from '@sluice/inference';
import { AnswerItems } from '../request/answer-items.ts';
import type { SuspendedWorker } from '../tools/subagent/workers.ts';
import { type Named, NativeCalls } from './native-calls.ts';
import type { ShownTool, ShownTools } from '../tools/shown-tool.ts';
import { parseJson } from '../request/parse-json.ts';

/** A call of a server tool, as the model made it. */
export interface ServerCall {
  readonly part: number;
  readonly callId: string;
  readonly name: string;
  readonly shown: ShownTool;
  /** Should be JSON of an object. */
  readonly text: string;
  /** The worker that the call goes on with. Absent: the call begins. */
  readonly worker?: SuspendedWorker;
}

/** The items of calls that an endpoint leaves to the client. */
const runByClient: ReadonlySet<unknown> = new Set([
  'apply_patch_call',
  'local_shell_call',
  'computer_call',
  'mcp_approval_request',
]);

type OpenCall = { -readonly [Field in keyof ServerCall]: ServerCall[Field] } & {
  isWhole: boolean;
  /** The text is no JSON object. */
  isBroken?: true;
};

/** Takes the calls of server tools out of the answer of one turn, and keeps all of it for the next turn. */
export class TurnCalls {
  readonly #tools: ShownTools;
  readonly #answer = new AnswerItems();
  readonly #natives: NativeCalls;
  readonly #calls = new Map<number, OpenCall>();
  #hasClientCalls = false;

  constructor(tools: ShownTools) {
    this.#tools = tools;
    this.#natives = new NativeCalls(tools);
  }

  /** Returns the parts that the client gets. */
  take(parts: readonly AnswerPart[]): readonly AnswerPart[] {
    return parts.flatMap((part) => {
      this.#answer.add(part);
      if (part.type === 'native-start' && runByClient.has(part.item['type']))
        this.#hasClientCalls = true;
      return this.#isServed(part) ? [] : this.#natives.shown(part);
    });
  }

  /** The calls of server tools that are whole, in the order in which they began. */
  get calls(): readonly ServerCall[] {
    return [...this.#calls.values()].filter(({ isWhole }) => isWhole);
  }

  /** The calls that the endpoint ran in the place of the service. */
  get nativeCalls(): readonly Named[] {
    return this.#natives.called;
  }

  /** The model called tools of the client, too. */
  get hasClientCalls(): boolean {
    return this.#hasClientCalls;
  }

  /** The whole answer as the next turn of the model reads it. Providers refuse arguments that are no JSON object. */
  items(): readonly InputItem[] {
    const items = this.#answer.items();
    const broken = [...this.#calls.values()].filter(({ isBroken }) => isBroken);
    if (broken.length === 0) return items;
    const ids = new Set(broken.map(({ callId }) => callId));
    return items.map((item) =>
      item.type === 'function-call' && ids.has(item.callId)
        ? { ...item, arguments: JSON.stringify({ input: item.arguments }) }
        : item,
    );
  }

  #isServed(part: AnswerPart): boolean {
    if (part.type === 'tool-call-start') {
      const { part: number, callId, name, namespace } = part;
      const shown = namespace === undefined ? this.#tools.get(name) : undefined;
      if (shown)
        this.#calls.set(number, { part: number, callId, name, shown, text: '', isWhole: false });
      else this.#hasClientCalls = true;
      return shown !== undefined;
    }
    const call = 'part' in part ? this.#calls.get(part.part) : undefined;
    if (!call) return false;
    if (part.type === 'tool-call-delta') call.text += part.delta;
    if (part.type === 'correction' && part.text !== undefined) call.text = part.text;
    if (part.type === 'tool-call-end') {
      call.isWhole = true;
      if (!isObject(parseJson(call.text))) call.isBroken = true;
    }
    return true;
  }
}
