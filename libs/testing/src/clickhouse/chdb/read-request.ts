import type { IncomingMessage } from 'node:http';
import type { Request } from './engine.ts';

/** Reads a request of `@clickhouse/client`: a statement, its parameters and settings, in the address or in the body. */
export async function readRequest(
  incoming: IncomingMessage,
  { isEndless }: { readonly isEndless: boolean },
): Promise<Request> {
  const { searchParams } = new URL(incoming.url ?? '', 'http://localhost');
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const parts = partsOf(body, incoming.headers['content-type'] ?? '');
  const values: Record<string, string> = {};
  const settings: string[] = [];
  for (const [name, value] of [...searchParams, ...(parts ?? [])])
    if (name.startsWith('param_')) values[name.slice('param_'.length)] = value;
    else if (!known.has(name) && !(isEndless && name === 'max_execution_time'))
      settings.push(`${name} = '${value}'`);
  const insert = searchParams.get('query');
  const statement = parts?.get('query') ?? insert ?? body;
  const { text, format } = withSettings(statement.trim(), settings);
  return {
    id: searchParams.get('query_id') ?? '',
    database: searchParams.get('database') ?? '',
    text: insert === null ? text : `${text}\n${body}`,
    format,
    values,
  };
}

/** Names of the address that are no settings. */
const known: ReadonlySet<string> = new Set([
  'query',
  'query_id',
  'database',
  'session_id',
  'role',
  'default_format',
]);

/** Puts settings where the grammar of the statement has them. One that makes tables has none. */
function withSettings(statement: string, settings: readonly string[]) {
  const clause = settings.length === 0 ? '' : `SETTINGS ${settings.join(', ')}`;
  const [, head = statement, format] = /^([\s\S]*?)\s+FORMAT\s+(\w+)$/.exec(statement) ?? [];
  if (/^INSERT/i.test(statement))
    return format === undefined
      ? { text: `${head} ${clause}`, format: 'JSONEachRow' }
      : { text: `${head} ${clause} FORMAT ${format}`, format };
  if (/^(?:SELECT|WITH)/i.test(statement))
    return { text: `${head} ${clause}`, format: format ?? 'TabSeparated' };
  return { text: head, format: format ?? 'TabSeparated' };
}

/** Returns the fields of a form. Undefined: the body is none. */
function partsOf(body: string, type: string): ReadonlyMap<string, string> | undefined {
  const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(type)?.[1];
  if (boundary === undefined) return undefined;
  const parts = new Map<string, string>();
  for (const part of body.split(`--${boundary}`).slice(1, -1)) {
    const [head = '', ...rest] = part.split('\r\n\r\n');
    const name = /name="([\w.-]+)"/.exec(head)?.[1];
    if (name !== undefined) parts.set(name, rest.join('\r\n\r\n').replace(/\r\n$/, ''));
  }
  return parts;
}
