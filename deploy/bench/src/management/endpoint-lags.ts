import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '@sluice/simulator';
import type { Measure } from '../measure.ts';
import type { Client } from './client.ts';
import { lag, msUntil } from './lags.ts';

const samples = 20;
const model = 'sim/gemini';
const provider = 'deepseek';
const targetMs = 1_000;

/** Measures how long it takes until requests use a private endpoint that is enabled, and no longer one that is not. */
export async function measureEndpointLags(client: Client): Promise<readonly Measure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'endpoint-lags-'));
  const receiptsFile = join(folder, 'receipts.jsonl');
  const upstream = await startSimulator({ host: '127.0.0.1', port: 0, receiptsFile });
  try {
    const { path, secret } = await activeEndpoint(client, upstream.url);
    const isUsed = () => isServedBy(client, secret, receiptsFile);
    await msUntil(isUsed);
    const [used, unused]: [number[], number[]] = [[], []];
    for (let sample = 0; sample < samples; sample++) {
      await client.send('POST', `${path}/disable`);
      unused.push(await msUntil(async () => !(await isUsed())));
      await client.send('POST', `${path}/enable`);
      used.push(await msUntil(isUsed));
    }
    return [
      lag('a private endpoint is used after POST enable was answered', used, targetMs),
      lag('a private endpoint is not used after POST disable was answered', unused, targetMs),
    ];
  } finally {
    await upstream.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes an active endpoint, and a key of the workspace that has the credential. */
async function activeEndpoint(client: Client, baseUrl: string) {
  const dataOf = async <Data>(path: string, body: object): Promise<Data> =>
    (JSON.parse(await client.send('POST', path, body)) as { data: Data }).data;
  const named = { name: 'private endpoints', slug: 'private-endpoints' };
  const { id: workspaceId } = await dataOf<{ id: string }>('/workspaces', named);
  const of = { workspace_id: workspaceId };
  await client.send('POST', '/byok', { provider, key: 'sk-own-0123456789', ...of });
  const made = await client.send('POST', '/keys', { name: 'of private endpoints', ...of });
  const { key: secret } = JSON.parse(made) as { key: string };
  const { id } = await dataOf<{ id: string }>('/private-endpoints', {
    model_permaslug: model,
    provider_slug: provider,
    upstream_model_id: 'own-model',
    base_url: baseUrl,
    activate: of,
  });
  return { path: `/private-endpoints/${id}`, secret };
}

/** Sends a request, and looks whether the upstream of the organization wrote a receipt. */
async function isServedBy(client: Client, secret: string, receiptsFile: string): Promise<boolean> {
  const bytes = async () => (await stat(receiptsFile).catch(() => undefined))?.size ?? 0;
  const before = await bytes();
  await client.send('POST', '/responses', { model, input: 'Hello', max_output_tokens: 50 }, secret);
  return (await bytes()) > before;
}
