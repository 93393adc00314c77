import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ApiRefused, callApi } from '../api/call-api.ts';
import type { Api } from '../api/find-api.ts';
import { clean, type Output } from '../output.ts';
import type { ExplainCommand } from './command.ts';
import { routerLines, routerRecord } from './explain-router.ts';

const text = Type.Union([Type.String(), Type.Null()]);
const number = Type.Union([Type.Number(), Type.Null()]);

const generation = Type.Object({
  id: Type.String(),
  model: Type.String(),
  provider_name: text,
  created_at: Type.String(),
  finish_reason: text,
  latency: number,
  generation_time: number,
  tokens_prompt: number,
  tokens_completion: number,
  total_cost: Type.Number(),
  // Absent in records of a gateway of an earlier release.
  data_discount: Type.Optional(number),
  is_byok: Type.Boolean(),
  provider_responses: Type.Union([
    Type.Null(),
    Type.Array(
      Type.Object({
        endpoint_id: Type.String(),
        provider_name: Type.String(),
        status: number,
        latency: Type.Number(),
        is_byok: Type.Boolean(),
      }),
    ),
  ]),
  // Absent in records of a gateway of an earlier release.
  turns: Type.Optional(
    Type.Array(
      Type.Object({
        turn: Type.Number(),
        model: Type.String(),
        provider_name: text,
        status: Type.String(),
        finish_reason: text,
        created_at: Type.String(),
        generation_time: number,
        tokens_prompt: Type.Number(),
        tokens_completion: Type.Number(),
        cost: Type.Number(),
      }),
    ),
  ),
  tool_calls: Type.Optional(
    Type.Array(
      Type.Object({
        number: Type.Number(),
        type: Type.String(),
        engine: text,
        status: Type.String(),
        created_at: Type.String(),
        latency: number,
        cost: Type.Number(),
        is_byok: Type.Boolean(),
      }),
    ),
  ),
  routing: Type.Union([
    Type.Null(),
    Type.Object({
      requested: Type.Array(Type.String()),
      strategy: Type.String(),
      candidates: Type.Array(
        Type.Object({ endpoint_id: Type.String(), model: Type.String(), tag: Type.String() }),
      ),
      excluded: Type.Array(Type.Object({ endpoint_id: Type.String(), filter: Type.String() })),
      order: Type.Array(
        Type.Object({
          endpoint_id: Type.String(),
          reason: Type.String(),
          seed: Type.Optional(Type.String()),
        }),
      ),
      router: Type.Optional(routerRecord),
    }),
  ]),
});
type Generation = Static<typeof generation>;

/** Prints the story of a generation from its record. Returns the exit code. Throws ApiRefused. */
export async function explainGeneration(
  { generationId, json }: ExplainCommand,
  { api, output }: { readonly api: Api; readonly output: Output },
): Promise<number> {
  const query = { id: generationId };
  const answer = await callApi(api, { method: 'GET', path: '/generation', query });
  const { data } = (answer ?? {}) as { readonly data?: unknown };
  if (!Value.Check(generation, data))
    throw new ApiRefused('What was answered is no record of a generation.');
  if (json) output.line(JSON.stringify(data, null, 2));
  else for (const line of story(data)) output.line(line);
  return 0;
}

const okStatus = 200;

/** Line by line: what was asked, who could have answered, who was out, who was tried, what it cost. */
export function* story(record: Generation): Iterable<string> {
  const { routing } = record;
  yield `${record.id}  ${record.created_at}`;
  if (routing) {
    yield `Asked for ${routing.requested.map(clean).join(', then ')} (${clean(routing.strategy)}).`;
    if (routing.router) yield* routerLines(routing.router);
    yield* choice(routing);
  } else yield 'How its endpoint was chosen is not known.';
  yield* attempts(record);
  yield* steps(record);
  if (record.provider_responses?.every(({ status }) => status !== okStatus) ?? false) {
    yield 'Nobody answered, and nothing was charged.';
    return;
  }
  const paid = record.is_byok ? ' with a credential of your own' : '';
  const { data_discount: discount } = record;
  const off = discount ? ` after a data discount of ${discount.toFixed(9)} USD` : '';
  yield (
    `Served by ${clean(record.provider_name ?? 'nobody')} as ${clean(record.model)}${paid}: ` +
      `${String(record.tokens_prompt ?? 0)} tokens in, ${String(record.tokens_completion ?? 0)} out, ` +
      `${record.total_cost.toFixed(9)} USD${off}, ${clean(record.finish_reason ?? 'no end known')}.`
  );
}

function* choice(routing: NonNullable<Generation['routing']>): Iterable<string> {
  const names = new Map(
    routing.candidates.map(({ endpoint_id, model, tag }) => [
      endpoint_id,
      `${clean(model)} at ${clean(tag)}`,
    ]),
  );
  const nameOf = (id: string) => names.get(id) ?? clean(id);
  yield `${String(routing.candidates.length)} endpoints could have answered.`;
  for (const { endpoint_id, filter } of routing.excluded)
    yield `  out   ${nameOf(endpoint_id)}: ${clean(filter)}`;
  for (const [index, { endpoint_id, reason, seed }] of routing.order.entries()) {
    const drawn = seed === undefined ? '' : `, drawn with seed ${clean(seed)}`;
    yield `  ${String(index + 1).padStart(3)}.  ${nameOf(endpoint_id)}: ${clean(reason)}${drawn}`;
  }
}

function* attempts({ provider_responses: tried, latency }: Generation): Iterable<string> {
  for (const attempt of tried ?? []) {
    const own = attempt.is_byok ? ', own credential' : '';
    const status = String(attempt.status ?? 'no status');
    const afterMs = String(Math.round(attempt.latency));
    yield `Tried ${clean(attempt.provider_name)}: ${status} after ${afterMs} ms${own}.`;
  }
  if (latency !== null)
    yield `First output ${String(Math.round(latency))} ms after it was admitted.`;
}

/** The turns and the calls of tools in the order in which they began. A response of one turn has told it all. */
function* steps({ turns = [], tool_calls: calls = [] }: Generation): Iterable<string> {
  if (turns.length < 2 && calls.length === 0) return;
  const told = [
    ...turns.map((turn) => ({ at: turn.created_at, line: turnLine(turn) })),
    ...calls.map((call) => ({ at: call.created_at, line: toolLine(call) })),
  ];
  for (const { line } of told.toSorted((a, b) => a.at.localeCompare(b.at))) yield line;
}

function turnLine(turn: NonNullable<Generation['turns']>[number]): string {
  const end = turn.finish_reason === null ? '' : ` (${clean(turn.finish_reason)})`;
  return (
    `Turn ${String(turn.turn)}: ${clean(turn.model)} at ${clean(turn.provider_name ?? 'nobody')}, ` +
    `${clean(turn.status)}${end}${afterMs(turn.generation_time)}, ${String(turn.tokens_prompt)} tokens in, ` +
    `${String(turn.tokens_completion)} out, ${turn.cost.toFixed(9)} USD.`
  );
}

function toolLine(call: NonNullable<Generation['tool_calls']>[number]): string {
  const engine = call.engine === null ? '' : ` by ${clean(call.engine)}`;
  const own = call.is_byok ? ' with a key of your own' : '';
  return (
    `  Tool ${String(call.number)}: ${clean(call.type)}${engine}${own}, ${clean(call.status)}` +
    `${afterMs(call.latency)}, ${call.cost.toFixed(9)} USD.`
  );
}

function afterMs(ms: number | null): string {
  return ms === null ? '' : ` after ${String(Math.round(ms))} ms`;
}
