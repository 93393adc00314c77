import type { Bootstrap } from './bootstrap/bootstrap-file.ts';

/** What a successful start prints: the address, the two keys, and a line that works when pasted. */
export function announcement(bootstrap: Bootstrap, model: string): string {
  const { base_url, api_key, management_key } = bootstrap;
  const body = JSON.stringify({ model, input: 'Hello, Sluice' });
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
