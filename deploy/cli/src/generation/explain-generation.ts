import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ApiRefused, callApi } from '../api/call-api.ts';
import type { Api } from '../api/find-api.ts';
import { clean, type Output } from '../output.ts';
import type { ExplainCommand } from './command.ts';

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
  routing: Type.Union([
    Type.Null(),
    Type.Object({
      requested: Type.Array(Type.String()),
      strategy: Type.String(),
      candidates: Type.Array(
        Type.Object({ endpoint_id: Type.String(), model: Type.String(), tag: Type.String() }),
      ),
      excluded: Type.Array(Type.Object({ endpoint_id: Type.String(), filter: Type.String() })),
      order: Type.Array(Type.Object({ endpoint_id: Type.String(), reason: Type.String() })),
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
  const answer = await callApi(api, {
    method: 'GET',
    path: '/generation',
    query,
    body: undefined,
  });
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
    yield* choice(routing);
  } else yield 'How its endpoint was chosen is not known.';
  yield* attempts(record);
  if (record.provider_responses?.every(({ status }) => status !== okStatus) ?? false) {
    yield 'Nobody answered, and nothing was charged.';
    return;
  }
  const paid = record.is_byok ? ' with a credential of your own' : '';
  yield (
    `Served by ${clean(record.provider_name ?? 'nobody')} as ${clean(record.model)}${paid}: ` +
      `${String(record.tokens_prompt ?? 0)} tokens in, ${String(record.tokens_completion ?? 0)} out, ` +
      `${record.total_cost.toFixed(9)} USD, ${clean(record.finish_reason ?? 'no end known')}.`
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
  for (const [index, { endpoint_id, reason }] of routing.order.entries())
    yield `  ${String(index + 1).padStart(3)}.  ${nameOf(endpoint_id)}: ${clean(reason)}`;
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
