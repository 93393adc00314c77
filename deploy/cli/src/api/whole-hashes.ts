import { type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Call } from './request.ts';
import { ApiRefused, callApi } from './call-api.ts';
import type { Api } from './find-api.ts';

const itemsOfAPage = 100;
const pagesMax = 1_000;
const shownMax = 5;
/** So many more digits tell keys apart. */
const moreDigits = 8;

/** Puts whole hashes in the place of their beginnings. Throws ApiRefused for none and for several. */
export async function withWholeHashes(api: Api, call: Call): Promise<Call> {
  const { hashes: prefixes = [] } = call;
  if (prefixes.length === 0) return call;
  const known = await keysOf(api);
  const whole = new Map(prefixes.map((prefix) => [prefix, wholeHash(known, prefix)]));
  const completed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(completed);
    return typeof value === 'string' ? (whole.get(value) ?? value) : value;
  };
  const { path, query, body } = call;
  const hashFields = (fields: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        name.includes('hash') ? completed(value) : value,
      ]),
    );
  return {
    ...call,
    path: path.split('/').map(completed).join('/'),
    query: hashFields(query) as Call['query'],
    body: body && hashFields(body),
  };
}

function wholeHash(hashes: readonly string[], prefix: string): string {
  const found = hashes.filter((hash) => hash.startsWith(prefix));
  const [hash] = found;
  if (hash === undefined) throw new ApiRefused(`No key has a hash that begins with ${prefix}.`);
  if (found.length === 1) return hash;
  const shown = found.slice(0, shownMax).map((each) => each.slice(0, prefix.length + moreDigits));
  throw new ApiRefused(
    `The hashes of ${found.length} keys begin with ${prefix}: ${shown.join(', ')}.`,
  );
}

/** The hashes of all keys of the account, disabled ones as well. */
async function keysOf(api: Api): Promise<readonly string[]> {
  const hashes: string[] = [];
  for await (const { id } of listed(api, '/workspaces', { limit: String(itemsOfAPage) }, workspace))
    for await (const { hash } of listed(
      api,
      '/keys',
      { workspace_id: id, include_disabled: 'true' },
      key,
    ))
      hashes.push(hash);
  return hashes;
}

const workspace = Type.Object({ id: Type.String() });
const key = Type.Object({ hash: Type.String() });

async function* listed<Schema extends TSchema>(
  api: Api,
  path: string,
  query: Readonly<Record<string, string>>,
  item: Schema,
): AsyncGenerator<Type.Static<Schema>> {
  const page = Type.Object({ data: Type.Array(item) });
  for (let read = 0; read < pagesMax; read++) {
    const offset = String(read * itemsOfAPage);
    const answer = await callApi(api, { method: 'GET', path, query: { ...query, offset } });
    if (!Value.Check(page, answer)) throw new ApiRefused(`What ${path} answered is no list.`);
    yield* answer.data as Type.Static<Schema>[];
    if (answer.data.length < itemsOfAPage) return;
  }
}
