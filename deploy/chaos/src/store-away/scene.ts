import { ok } from 'node:assert/strict';
import type { Instance } from '@sluice/acceptance/instance';
import { describe, type Probe, send } from './load.ts';
import type { Probes } from './under-load.ts';

/** The requests that are sent while a store is away. */
export interface StoreAwayScene extends Probes {
  /** Changes a limit, a budget, a guardrail and a key's state, and issues a key: the outage begins right after it. */
  changeALittle(): Promise<readonly Probe[]>;
  /** The same requests with the answers that are right while the store is away. */
  meanwhile(probes: Probes): Pick<Probes, 'inference' | 'questions'>;
}

/** The store that is taken away. */
export type Store = 'event store' | 'postgres';

interface Key {
  readonly secret: string;
  readonly hash: string;
}

/** Holds the ids for the paths of every GET of the API description. Other parameters get an unknown id. */
type Places = Readonly<Record<string, string>>;

/** Worth about 80 of the requests: it is spent while the store is away. */
const cappedUsd = 0.002;

const mayBeAway = (probe: Probe): Probe => ({ ...probe, right: [...probe.right, 503] });

const inferenceOf = (name: string, key: string, right: readonly number[]): Probe => ({
  name,
  method: 'POST',
  path: '/v1/responses',
  key,
  body: { model: 'sim/echo', input: 'Hello' },
  right,
});

/** Makes keys, a workspace with a budget and a guardrail, and asks every question once. */
export async function storeAwayScene(instance: Instance, store: Store): Promise<StoreAwayScene> {
  const { management_key: key } = instance.bootstrap;
  const manage = async (method: string, path: string, body?: object) => {
    const answered = await send(instance, { method, path, key, ...(body && { body }) });
    const { status } = answered;
    ok(status >= 200 && status < 300, `${method} ${path} was answered ${describe(answered)}`);
    return answered.json;
  };
  const issue = async (name: string, more: object = {}): Promise<Key> => {
    const issued = (await manage('POST', '/v1/keys', { name, ...more })) as {
      readonly key: string;
      readonly data: { readonly hash: string };
    };
    return { secret: issued.key, hash: issued.data.hash };
  };
  const create = async (path: string, body: object): Promise<string> =>
    ((await manage('POST', path, body)) as { readonly data: { readonly id: string } }).data.id;

  const workspace = await create('/v1/workspaces', { name: 'Away', slug: 'away' });
  await manage('PUT', `/v1/workspaces/${workspace}/budgets/daily`, { limit_usd: 900 });
  const guardrail = await create('/v1/guardrails', {
    name: 'Away',
    limit_usd: 900,
    reset_interval: 'daily',
  });
  const limited = await issue('limited', { limit: 100 });
  const budgeted = await issue('budgeted', { workspace_id: workspace });
  const guarded = await issue('guarded');
  const assigned = { key_hashes: [guarded.hash] };
  await manage('POST', `/v1/guardrails/${guardrail}/assignments/keys`, assigned);
  const stopped = await issue('stopped');
  const unchanged = await issue('unchanged');
  const capped = await issue('capped', { limit: cappedUsd });
  const inUse = { limited, budgeted, guarded, unchanged };
  const inference = Object.entries(inUse).map(([name, { secret }]) =>
    inferenceOf(name, secret, [200]),
  );
  // It is served until its limit is spent.
  inference.push(inferenceOf('capped', capped.secret, [200, 402]));
  const places = { hash: limited.hash, workspace, guardrail };
  return {
    inference: [...inference, inferenceOf('stopped', stopped.secret, [200, 401])],
    questions: await questionsOf(instance, places),
    writes: writesOf(key, places).map((write) =>
      store === 'postgres' ? { ...write, right: [200, 201, 409, 503] } : write,
    ),
    meanwhile: ({ inference, questions }) =>
      store === 'postgres'
        ? {
            inference: inference.map((one) => (one.name === 'capped' ? mayBeAway(one) : one)),
            questions: questions.map(mayBeAway),
          }
        : { inference, questions },
    async changeALittle() {
      await manage('PATCH', `/v1/keys/${limited.hash}`, { limit: 90 });
      await manage('PUT', `/v1/workspaces/${workspace}/budgets/daily`, { limit_usd: 800 });
      await manage('PATCH', `/v1/guardrails/${guardrail}`, { limit_usd: 800 });
      await manage('PATCH', `/v1/keys/${stopped.hash}`, { disabled: true });
      const fresh = await issue('fresh');
      return [
        ...inference,
        inferenceOf('stopped', stopped.secret, [401]),
        inferenceOf('fresh', fresh.secret, [200]),
      ];
    },
  };
}

/** Returns probes that expect the statuses of their present answers. */
async function questionsOf(instance: Instance, places: Places): Promise<readonly Probe[]> {
  const { management_key: key, api_key: inferenceKey } = instance.bootstrap;
  const { json } = await send(instance, { method: 'GET', path: '/openapi.json', key });
  const { paths } = json as { readonly paths: Readonly<Record<string, object>> };
  const asked = Object.entries(paths)
    .filter(([, operations]) => 'get' in operations)
    .map(([path]) => path);
  ok(asked.length > 40, `the description names ${asked.length} questions only`);
  const probes: Probe[] = [];
  for (const template of asked) {
    const path = filled(template, places);
    const used = template.endsWith('/models/user') ? inferenceKey : key;
    const probe = { name: `GET ${template}`, method: 'GET', path, key: used };
    const { status } = await send(instance, probe);
    ok(status > 0 && (status < 500 || status === 501), `${probe.name} was answered ${status}`);
    probes.push({ ...probe, right: [status] });
  }
  return probes;
}

function filled(template: string, { hash = '', workspace = '', guardrail = '' }: Places): string {
  return template
    .replace('{hash}', hash)
    .replace('{workspace_ref}', workspace)
    .replace('{interval}', 'daily')
    .replace('/workspaces/{id}', `/workspaces/${workspace}`)
    .replace('/guardrails/{id}', `/guardrails/${guardrail}`)
    .replaceAll(/\{\w+\}/g, 'x');
}

function writesOf(key: string, { hash, workspace, guardrail }: Places): readonly Probe[] {
  const write = (method: string, path: string, body: object): Probe => ({
    name: `${method} ${path.replaceAll(/[0-9a-f-]{36,}/g, '…')}`,
    method,
    path,
    key,
    body,
    right: [503],
  });
  return [
    write('POST', '/v1/keys', { name: 'refused' }),
    write('PATCH', `/v1/keys/${hash}`, { limit: 80 }),
    write('PUT', `/v1/workspaces/${workspace}/budgets/daily`, { limit_usd: 700 }),
    write('POST', '/v1/workspaces', { name: 'Refused', slug: 'refused' }),
    write('PATCH', `/v1/guardrails/${guardrail}`, { limit_usd: 700 }),
  ];
}
