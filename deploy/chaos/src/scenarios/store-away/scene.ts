import { ok } from 'node:assert/strict';
import type { Instance } from '@sluice/acceptance/instance';
import { type Json, reasonOf, send, sendUntilServed, textAt } from '../../load/http.ts';
import type { Probe } from '../../load/probes.ts';

/** The requests of each kind that are sent while a store is away. */
export interface Probes {
  readonly inference: readonly Probe[];
  readonly questions: readonly Probe[];
  readonly writes: readonly Probe[];
}

export interface StoreAwayScene extends Probes {
  /** Changes a limit, a budget, a guardrail and a key's state, and issues a key: the outage begins right after it. */
  changeALittle(): Promise<readonly Probe[]>;
  /** Returns the same requests with the answers that are right while the store is away. */
  meanwhile(probes: Probes): Probes;
}

/** Holds the ids for the paths of every GET of the API description. Other parameters get an unknown id. */
type Places = Readonly<Record<'hash' | 'workspace' | 'guardrail', string>>;

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
export async function storeAwayScene(
  instance: Instance,
  store: 'eventstore' | 'postgres',
): Promise<StoreAwayScene> {
  const { management_key: key } = instance.bootstrap;
  const manage = async (method: string, path: string, body: object): Promise<Json> => {
    const answer = await sendUntilServed(instance, { method, path, key, body });
    const { status, json } = answer;
    ok(status >= 200 && status < 300, `${method} ${path} was answered ${reasonOf(answer)}`);
    return json;
  };
  const create = async (path: string, body: object): Promise<string> =>
    textAt(await manage('POST', path, body), 'data.id');
  const issue = async (name: string, more: object = {}) => {
    const issued = await manage('POST', '/v1/keys', { name, ...more });
    return { secret: textAt(issued, 'key'), hash: textAt(issued, 'data.hash') };
  };

  const workspace = await create('/v1/workspaces', { name: 'Away', slug: 'away' });
  await manage('PUT', `/v1/workspaces/${workspace}/budgets/daily`, { limit_usd: 900 });
  const limit = { limit_usd: 900, reset_interval: 'daily' };
  const guardrail = await create('/v1/guardrails', { name: 'Away', ...limit });
  const limited = await issue('limited', { limit: 100 });
  const budgeted = await issue('budgeted', { workspace_id: workspace });
  const guarded = await issue('guarded');
  const assigned = { key_hashes: [guarded.hash] };
  await manage('POST', `/v1/guardrails/${guardrail}/assignments/keys`, assigned);
  const stopped = await issue('stopped');
  const unchanged = await issue('unchanged');
  const capped = await issue('capped', { limit: cappedUsd });
  const inUse = Object.entries({ limited, budgeted, guarded, unchanged });
  const inference = [
    ...inUse.map(([name, { secret }]) => inferenceOf(name, secret, [200])),
    // It is served until its limit is spent.
    inferenceOf('capped', capped.secret, [200, 402]),
  ];
  const places = { hash: limited.hash, workspace, guardrail };
  const scene: StoreAwayScene = {
    inference: [...inference, inferenceOf('stopped', stopped.secret, [200, 401])],
    questions: await questionsOf(instance, places),
    writes: writesOf(key, places),
    meanwhile: (probes) => probes,
    changeALittle,
  };
  if (store === 'eventstore') return scene;
  return {
    ...scene,
    writes: scene.writes.map((write) => ({ ...write, right: [200, 201, 409, 503] })),
    meanwhile: (probes) => ({
      ...probes,
      inference: probes.inference.map((one) => (one.name === 'capped' ? mayBeAway(one) : one)),
      questions: probes.questions.map(mayBeAway),
    }),
  };

  async function changeALittle(): Promise<readonly Probe[]> {
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
  }
}

/** Returns probes that expect the statuses of their present answers. */
async function questionsOf(instance: Instance, places: Places): Promise<readonly Probe[]> {
  const { management_key: key, api_key: inferenceKey } = instance.bootstrap;
  const { json } = await send(instance, { path: '/openapi.json', key });
  const asked = Object.entries(json['paths'] ?? {}).flatMap(([path, operations]) =>
    operations?.['get'] ? [path] : [],
  );
  ok(asked.length > 40, `the description names ${asked.length} questions only`);
  const probes: Probe[] = [];
  for (const template of asked) {
    const used = template.endsWith('/models/user') ? inferenceKey : key;
    const probe = { name: `GET ${template}`, path: filled(template, places), key: used };
    const { status } = await send(instance, probe);
    ok(status > 0 && (status < 500 || status === 501), `${probe.name} was answered ${status}`);
    probes.push({ ...probe, right: [status] });
  }
  return probes;
}

function filled(template: string, { hash, workspace, guardrail }: Places): string {
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
