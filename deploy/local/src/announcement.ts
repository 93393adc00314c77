import type { Bootstrap } from './bootstrap/bootstrap-file.ts';

const askTimeoutMs = 5_000;

/** The answer to `GET /v1/models`. */
export interface ModelList {
  readonly data?: readonly { readonly id: string }[];
}

export async function modelsAt(baseUrl: string): Promise<ModelList> {
  const response = await fetch(`${baseUrl}/models`, { signal: AbortSignal.timeout(askTimeoutMs) });
  return (await response.json()) as ModelList;
}

/** A model for the first request: the simulator's, else the first that is offered, if any. */
export function modelToTry({ data = [] }: ModelList): string | undefined {
  const ids = data.map(({ id }) => id);
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
