import { eventually } from '@sluice/patience';
import { ReportFailuresRequest } from '@sluice/protos/sluice/ledger/v1/ledger';
import { type Case, dialects, type Mode } from './case.ts';
import { inLines, normalized } from './normalized.ts';
import { post, type Reply } from './post.ts';
import { refuses, says } from './upstream.ts';
import { idOf, startWorld, type World, type WorldOptions } from './world.ts';

/** The golden text of each case, by its name: all are sent one after the other to a world of their own. */
export async function record(
  cases: readonly Case[],
  options: WorldOptions = {},
): Promise<ReadonlyMap<string, string>> {
  const all = [...cases, ...lastOnes];
  const world = await startWorld(all, options);
  try {
    const told: Told[] = [];
    for (const one of all) told.push(await tell(world, one));
    await eventually(() => allHasArrived(world, told), { everyMs: 10, sameLooksMax: 1_500 });
    return new Map(
      told.map(({ one, text, generations }) => {
        const facts = generations.flatMap(({ id }) => factsOf(world, id));
        return [one.name, normalized([...text, ...facts, ''].join('\n'), world.secrets)];
      }),
    );
  } finally {
    await world.stop();
  }
}

const [dialect] = dialects;
/** When the facts of these have arrived, those of all before have. */
const lastOnes: readonly Case[] = [says(dialect, 'text'), refuses(418, {})].map(
  (answer, place) => ({
    name: `last/${String(place)}`,
    body: { input: 'x' },
    modes: ['whole'],
    models: { m: { endpoints: [{ dialect, answer }] } },
  }),
);

interface Told {
  readonly one: Case;
  readonly text: readonly string[];
  readonly generations: readonly Generation[];
}

interface Generation {
  readonly id: string;
  /** It has failed before its status was out. */
  readonly isRefused: boolean;
}

async function tell(world: World, one: Case): Promise<Told> {
  const text: string[] = [];
  const generations: Generation[] = [];
  const isText = typeof one.body === 'string';
  const modes = one.modes ?? (isText ? ['whole'] : ['streamed', 'whole']);
  for (const mode of modes)
    for (let time = 0; time < (one.times ?? 1); time += 1) {
      const body = bodyOf(one, mode);
      const reply = await send(world, one, body);
      if (one.leavesAfter !== undefined) await world.upstream.client.left;
      const generation = /^x-generation-id: (.+)$/m.exec(reply.headers.join('\n'))?.[1];
      if (generation !== undefined)
        generations.push({ id: generation, isRefused: reply.status !== 200 && !one.isWithheld });
      text.push(`===== ${mode}`, body === '' ? '(no body)' : cut(body), '');
      for (const asked of world.upstream.asked.splice(0))
        text.push('--- a provider is asked', asked, '');
      text.push('--- the client is answered', String(reply.status), ...reply.headers, '');
      text.push(inLines(reply.body), '');
    }
  return { one, text, generations };
}

const shownMax = 20_000;

/** A long body is shown by its ends. */
function cut(body: string): string {
  if (body.length <= shownMax) return body;
  return `${body.slice(0, 200)}… ${String(body.length)} characters …${body.slice(-200)}`;
}

function bodyOf(one: Case, mode: Mode): string {
  const { body } = one;
  if (typeof body === 'string') return body;
  const names = Object.keys(one.models ?? {});
  const model = 'model' in body || 'models' in body ? {} : { model: `$${names[0] ?? 'none'}` };
  const asked = { ...model, ...body, ...(mode === 'streamed' && { stream: true }) };
  return names.reduce(
    (text, name) => text.replaceAll(`"$${name}`, `"${idOf(one, name)}`),
    JSON.stringify(asked),
  );
}

function send(world: World, one: Case, body: string): Promise<Reply> {
  const { promise: heard, resolve: onBytes } = Promise.withResolvers<void>();
  world.upstream.client = { heard, left: world.nextLeft() };
  const all = {
    authorization: `Bearer ${world.keyOf(one)}`,
    'content-type': 'application/json',
    ...one.headers,
  };
  const given = Object.entries(all).filter(
    (each): each is [string, string] => each[1] !== undefined,
  );
  return post({
    url: `${world.url}/v1${one.path ?? '/responses'}`,
    method: one.method ?? 'POST',
    headers: Object.fromEntries(given),
    body,
    onBytes,
    leavesAfter: one.leavesAfter,
  });
}

/** Throws what is missing: each request that was begun has left a usage fact, or both records of its failure. */
function allHasArrived({ facts, ledger }: World, told: readonly Told[]): void {
  const idsOf = (kind: string) =>
    new Set(
      facts
        .filter(({ subject }) => subject.startsWith(kind))
        .map(({ fact }) => fact['generationId']),
    );
  const recorded = idsOf('usage.');
  const failed = idsOf('generation.');
  const reported = new Set(ledger.failures.map(({ generation }) => generation?.generationId));
  const isThere = ({ id, isRefused }: Generation) =>
    (failed.has(id) && reported.has(id)) || (!isRefused && recorded.has(id));
  const missing = told.filter(({ generations }) => !generations.every(isThere));
  if (missing.length > 0)
    throw new Error(`wait for their facts: ${missing.map(({ one }) => one.name).join(', ')}`);
}

/** All that is known of a generation outside of its answer. */
function factsOf({ facts, ledger }: World, id: string): readonly string[] {
  const published = facts
    .filter(({ fact }) => fact['generationId'] === id)
    .map(({ subject, fact }) =>
      [`--- ${subject}`, JSON.stringify(fact, undefined, 1), ''].join('\n'),
    );
  const reported = ledger.failures
    .filter(({ generation }) => generation?.generationId === id)
    .map((failure) => ReportFailuresRequest.toJSON({ failures: [failure] }))
    .map((json) => ['--- the ledger is told', JSON.stringify(json, undefined, 1), ''].join('\n'));
  return [...published.toSorted(), ...reported];
}
