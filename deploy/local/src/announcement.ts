import type { Bootstrap } from './bootstrap/bootstrap-file.ts';

const askTimeoutMs = 5_000;

/** A model for the first request: the simulator's, else the first that is offered, if any. */
export async function modelToTry(baseUrl: string): Promise<string | undefined> {
  const response = await fetch(`${baseUrl}/models`, { signal: AbortSignal.timeout(askTimeoutMs) });
  const { data } = (await response.json()) as { data?: readonly { readonly id: string }[] };
  const ids = (data ?? []).map(({ id }) => id);
  return ids.find((id) => id === 'sim/echo') ?? ids[0];
}

/** What a successful start prints: the address, the two keys, and a line that works when pasted. */
export function announcement(bootstrap: Bootstrap, model: string | undefined): string {
  const { base_url, api_key, management_key } = bootstrap;
  const body = JSON.stringify({ model: model ?? 'author/model', input: 'Hello, Sluice' });
  return [
    '',
    `Base URL        ${base_url}`,
    `Management key  ${management_key}`,
    `API key         ${api_key}`,
    '',
    `curl ${base_url}/responses -H 'Authorization: Bearer ${api_key}' ` +
      `-H 'Content-Type: application/json' -d '${body}'`,
    '',
    'Ctrl-C stops everything.',
  ].join('\n');
}
