import type { Client } from '../management/client.ts';

/** The destinations of the workspace that a request belongs to. */
export const modes = ['none', 'metadata', 'contents', 'hanging'] as const;
export type Mode = (typeof modes)[number];

/** Describes each mode in a report. */
export const modeTexts: Readonly<Record<Exclude<Mode, 'none'>, string>> = {
  metadata: 'three destinations in privacy mode',
  contents: 'three destinations with contents',
  hanging: 'three destinations that never answer',
};

const keyLimitUsd = 100_000;

/** Returns an API key for each mode, of a workspace of its own with its destinations. */
export async function makeKeys(
  client: Client,
  receiverUrl: string,
): Promise<Readonly<Record<Mode, string>>> {
  const keys: Partial<Record<Mode, string>> = {};
  for (const mode of modes) keys[mode] = await makeKey(client, mode, receiverUrl);
  return keys as Record<Mode, string>;
}

async function makeKey(client: Client, mode: Mode, receiverUrl: string): Promise<string> {
  const made = await client.send('POST', '/workspaces', { name: mode, slug: `bench-${mode}` });
  const workspaceId = (JSON.parse(made) as { readonly data: { readonly id: string } }).data.id;
  if (mode !== 'none') {
    const change = { is_observability_broadcast_enabled: true };
    await client.send('PATCH', `/workspaces/${workspaceId}`, change);
    for (const config of configsOf(`${receiverUrl}/${mode}`))
      await client.send('POST', '/observability/destinations', {
        ...config,
        workspace_id: workspaceId,
        privacy_mode: mode === 'metadata',
      });
  }
  const body = { name: mode, workspace_id: workspaceId, limit: keyLimitUsd, limit_reset: 'daily' };
  return (JSON.parse(await client.send('POST', '/keys', body)) as { readonly key: string }).key;
}

const configsOf = (url: string) => [
  { type: 'webhook', name: 'first', config: { url: `${url}/first` } },
  { type: 'webhook', name: 'second', config: { url: `${url}/second` } },
  { type: 'otel-collector', name: 'third', config: { endpoint: url } },
];
