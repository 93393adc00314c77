import type { Random } from '@sluice/testing/random';
import type { Answer, Request } from './http.ts';

/** The tools of a request, and the words by which the simulated model calls them. */
export interface LoopOfTools {
  readonly begin: string;
  readonly tools: readonly object[];
}

const task = { task_name: 'part', task_description: 'agent: call look {} then say done' };
const loops: readonly LoopOfTools[] = [
  // A free tool and a search, which has a price.
  {
    begin: 'call service_datetime call service_web_search ',
    tools: [
      { type: 'service:datetime' },
      { type: 'service:web_search', parameters: { max_results: 3 } },
    ],
  },
  // A command in the sandbox, which is free. Its container is the same for all: a start costs much.
  {
    begin: `agent: call service_shell ${JSON.stringify({ commands: ['echo out of the box'] })} then say done `,
    tools: [
      {
        type: 'service:shell',
        parameters: { environment: { type: 'container_reference', container_id: 'chaos' } },
      },
    ],
  },
  // Tools that ask models themselves.
  { begin: 'call service_advisor ', tools: [{ type: 'service:advisor' }] },
  {
    begin: 'call service_fusion ',
    tools: [
      {
        type: 'service:fusion',
        parameters: { analysis_models: ['sim/echo', 'sim/gemini'], tools: [] },
      },
    ],
  },
  // A worker that waits for the client.
  {
    begin: `agent: call service_subagent ${JSON.stringify(task)} `,
    tools: [
      { type: 'service:subagent', parameters: { inherit_functions: true } },
      { type: 'function', name: 'look', parameters: { type: 'object' } },
    ],
  },
];
const othersShare = 0.4;

/** Chooses a loop: most have a tool with a price. The others run a command or ask models. */
export function chooseLoop(random: Random): LoopOfTools {
  const place = random.next() < othersShare ? 1 + random.below(loops.length - 1) : 0;
  return loops[place] as LoopOfTools;
}

/** Returns the request by which a client goes on with the worker of a whole answer. undefined: none waits. */
export function resumedBy({ body, ...request }: Request, { text }: Answer): Request | undefined {
  if (!text.includes('"subagent_items"') || !text.startsWith('{')) return undefined;
  const { output } = JSON.parse(text) as { readonly output: readonly Item[] };
  const { input } = body as { readonly input: string };
  const outputs = output
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'a tree' }));
  return {
    ...request,
    body: { ...body, input: [{ role: 'user', content: input }, ...output, ...outputs] },
  };
}

interface Item {
  readonly type: string;
  readonly call_id?: string;
}
