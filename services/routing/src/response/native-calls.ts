import type { AnswerPart, ToolItem } from '@sluice/inference';
import type { ShownTool, ShownTools } from '../tools/shown-tool.ts';

type NativeStart = Extract<AnswerPart, { type: 'native-start' | 'native-end' }>;

/** Shows the client the calls that an endpoint ran in the place of the service as if the service had run them. */
export class NativeCalls {
  /** The tools by the type of the items that an endpoint makes. */
  readonly #tools: ReadonlyMap<unknown, Named>;
  /** The tools that were called, in the order of the calls. */
  readonly called: Named[] = [];
  /** The parts that are shown. */
  readonly #open = new Map<number, Named>();

  constructor(tools: ShownTools) {
    this.#tools = new Map(
      [...tools].flatMap(([name, shown]) => {
        const { native } = shown.tool;
        const type = shown.forms && native?.read && native.itemType;
        return type === undefined ? [] : [[type, { name, shown }] as const];
      }),
    );
  }

  /** Returns the parts that the client gets for a part of the upstream. */
  shown(part: AnswerPart): readonly AnswerPart[] {
    if (part.type === 'native-start') {
      const tool = this.#tools.get(part.item['type']);
      return tool ? this.#begin(part, tool) : [part];
    }
    if (part.type !== 'native-end') return [part];
    const tool = this.#open.get(part.part);
    return tool ? ended(part, tool) : [part];
  }

  #begin({ part, item }: NativeStart, named: Named): readonly AnswerPart[] {
    this.#open.set(part, named);
    this.called.push(named);
    const read = named.shown.tool.native?.read?.(item);
    const fields = { ...read?.item, type: typeOf(named.shown), status: 'in_progress' } as const;
    return [
      { type: 'tool-item-start', part, item: fields },
      ...progress(part, ['in_progress', 'searching']),
    ];
  }
}

export interface Named {
  /** The name of the function in whose place the tool stands. */
  readonly name: string;
  readonly shown: ShownTool;
}

function typeOf({ tool, kind }: ShownTool): string {
  return tool.itemType?.(kind, {}) ?? tool.type;
}

function ended({ part, item, block }: NativeStart, { name, shown }: Named): readonly AnswerPart[] {
  const read = shown.tool.native?.read?.(item);
  if (!read) return [];
  const done: ToolItem = { ...read.item, type: typeOf(shown) };
  const id = item['id'];
  const call = {
    callId: typeof id === 'string' ? id : `native_${String(part)}`,
    name,
    arguments: read.arguments,
    result: read.output,
    isError: read.isError,
    block: block ?? read.block,
  };
  return [
    ...(read.isError ? [] : progress(part, ['completed'])),
    { type: 'tool-item-end', part, item: done, call },
  ];
}

/** Returns the events of a search. The upstream's own events of it are no parts. */
function progress(
  part: number,
  words: readonly ('in_progress' | 'searching' | 'completed')[],
): readonly AnswerPart[] {
  return words.map((word) => ({
    type: 'tool-item-progress',
    part,
    progress: { event: `web_search_call.${word}` },
  }));
}
