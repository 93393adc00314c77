import { isDeepStrictEqual } from 'node:util';
import { isObject, type Loose } from './event-shapes.ts';
import { rule } from './rules.ts';
import { differs } from './text-flow.ts';

/** The fields of every snapshot. They may be null. */
const required = [
  'id',
  'object',
  'created_at',
  'completed_at',
  'model',
  'status',
  'output',
  'error',
  'incomplete_details',
  'instructions',
  'metadata',
  'parallel_tool_calls',
  'tools',
  'tool_choice',
  'temperature',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'usage',
];

const atTheEnd = ['error_type', 'service_metadata', 'alignment', 'output_text'];

/** A response that has said nothing yet. */
export function openSnapshot(response: Loose): void {
  complete('opening-snapshot', response);
  const { status, output } = response;
  rule('opening-snapshot', status === 'in_progress', () =>
    differs('status', status, 'in_progress'),
  );
  rule('opening-snapshot', isDeepStrictEqual(output, []), () => differs('output', output, []));
  rule('usage', response['usage'] === null, () => 'told before the end');
  for (const name of ['error', 'incomplete_details', 'completed_at'])
    rule('opening-snapshot', response[name] === null, () => `${name} is told before the end`);
  for (const name of atTheEnd)
    rule('opening-snapshot', !(name in response), () => `${name} is told before the end`);
}

/** A response that has ended as the event's type says. */
export function closedSnapshot(type: string, response: Loose): void {
  complete('terminal', response);
  const { status, output, error, usage } = response;
  rule('terminal', type === `response.${String(status)}`, () => `${type} with ${String(status)}`);
  rule('snapshot-output', Array.isArray(output), () => 'output is no list');
  const hasFailed = status === 'failed';
  const isFailure = isObject(error) && typeof response['error_type'] === 'string';
  rule('outcome', hasFailed === isFailure, () => `${String(status)} with an error or without`);
  rule('outcome', hasFailed || (error === null && !('error_type' in response)), () => 'an error');
  const isCut = isObject(response['incomplete_details']);
  rule('outcome', isCut === (status === 'incomplete'), () => `${String(status)} with details`);
  const isCompleted = typeof response['completed_at'] === 'number';
  rule('outcome', isCompleted || status !== 'completed', () => 'completed, but not when');
  rule('usage', isObject(usage) || (hasFailed && usage === null), () => differs('it', usage, {}));
  if (isObject(usage)) addsUp(usage);
  const text = textOf(output as readonly Loose[]);
  const told = response['output_text'] ?? text;
  rule('deltas-add-up', told === text, () => differs('output_text', told, text));
}

function complete(name: 'opening-snapshot' | 'terminal', response: Loose): void {
  for (const field of required) rule(name, field in response, () => `a snapshot without ${field}`);
  rule(name, response['object'] === 'response', () => 'a snapshot of something else');
}

function addsUp(usage: Loose): void {
  const { input_tokens: input, output_tokens: output, total_tokens: total } = usage;
  const isSum = Number(input) + Number(output) === total;
  rule('usage', isSum, () => `${String(input)} + ${String(output)} = ${String(total)}`);
}

function textOf(output: readonly Loose[]): string {
  return output
    .filter(({ type }) => type === 'message')
    .flatMap((item) => (item['content'] ?? []) as readonly Loose[])
    .filter(({ type }) => type === 'output_text')
    .map(({ text }) => String(text))
    .join('');
}
