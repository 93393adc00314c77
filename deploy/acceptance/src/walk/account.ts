import { eventually, json, manage, type Reached, text } from '../http.ts';

import type { Operation } from './description.ts';
import { type KnownValues, validValue } from './values.ts';
import type { Attempt, Walker } from './walker.ts';

const destinations = '/v1/observability/destinations';

/** The account that the walk uses, and the resources that it makes there. */
export class WalkedAccount {
  readonly #operations: readonly Operation[];
  readonly #walker: Walker;
  /** Values by field name; `name` is what its own names begin with. */
  readonly values: KnownValues;
  /** Path of a collection → the id of what was made in it last. */
  readonly #made = new Map<string, string>();
  #count = 0;

  constructor(operations: readonly Operation[], walker: Walker, values: KnownValues) {
    this.#operations = operations;
    this.#walker = walker;
    this.values = values;
  }

  /** A request that follows the description: with all that is optional, or with nothing of it. */
  valid(operation: Operation, isFull: boolean): Attempt {
    const options = { known: this.#known(operation), isFull };
    const query = operation.parameters
      .filter((one) => one.in === 'query' && (isFull || one.required === true))
      .map(({ name, schema }) => [name, String(validValue(schema, options, name))]);
    return {
      what: isFull ? 'with everything' : 'with what is required',
      path: this.#path(operation),
      query: query.length === 0 ? '' : queryOf(Object.fromEntries(query)),
      ...(operation.body ? { body: validValue(operation.body, options) } : {}),
    };
  }

  /** The ids of what it made. */
  get made(): readonly string[] {
    return [...this.#made.values()];
  }

  /** Makes something for the operation to be about, where the description says how. */
  async prepare(operation: Operation): Promise<void> {
    if (operation.path.startsWith(destinations)) await this.#deleteDestinations();
    const collection = operation.path.slice(0, operation.path.lastIndexOf('/{'));
    for (const prefix of collectionsOf(operation.path)) {
      // A parent resource is made once. The resource itself may be used up by the operation.
      if (this.#made.has(prefix) && prefix !== collection) continue;
      const create = this.#operations.find(({ title }) => title === `POST ${prefix}`);
      if (create) await this.#make(prefix, create);
    }
    // A PUT needs no resource of its kind.
    const put = this.#operations.find(({ title }) => title === `PUT ${operation.path}`);
    if (put && put !== operation) await this.#walker.attempt(put, this.valid(put, true));
  }

  /** A workspace has at most five destinations of a type. */
  async #deleteDestinations(): Promise<void> {
    const find = (title: string) => this.#operations.find((one) => one.title === title);
    const [list, remove] = [find(`GET ${destinations}`), find(`DELETE ${destinations}/{id}`)];
    if (!list || !remove) return;
    const answer = await this.#walker.attempt(list, this.valid(list, false));
    const { data = [] } = answer.json as { readonly data?: readonly { readonly id: string }[] };
    for (const { id } of data)
      await this.#walker.attempt(remove, { ...this.valid(remove, false), path: { id } });
  }

  async #make(collection: string, create: Operation): Promise<void> {
    for (const isFull of [true, false]) {
      const answer = await this.#walker.attempt(create, this.valid(create, isFull));
      const id = answer.status < 300 ? idOf(answer.json) : undefined;
      if (id === undefined) continue;
      this.#made.set(collection, id);
      return;
    }
  }

  /** Names are new with each call. */
  #known({ path }: Operation): KnownValues {
    const name = `${String(this.values['name'])}-${++this.#count}`;
    const ids = path.startsWith('/v1/generation') ? { id: this.values['generation_id'] } : {};
    return {
      ...this.values,
      ...ids,
      name,
      slug: name,
      ...this.#slugOf(path),
      user: name,
      email: `${name}@example.com`,
    };
  }

  /** A model is nobody's own, the account has one alias, and its one preset was made for the walk. */
  #slugOf(path: string): KnownValues {
    const own = String(this.values['name']);
    if (path.startsWith('/v1/model-aliases/')) return { author: own, slug: 'default' };
    if (path.startsWith('/v1/presets/')) return { slug: presetOf(own) };
    return path.includes('{author}') ? { slug: 'echo' } : {};
  }

  #path(operation: Operation): Attempt['path'] {
    const options = { known: this.#known(operation), isFull: true };
    const parameters = operation.parameters.filter((one) => one.in === 'path');
    return Object.fromEntries(
      parameters.map(({ name, schema }) => {
        const collection = operation.path.slice(0, operation.path.indexOf(`/{${name}}`));
        const value = this.#made.get(collection) ?? validValue(schema, options, name);
        return [name, encodeURIComponent(String(value))];
      }),
    );
  }
}

const presetOf = (name: string) => `${name}-preset`;

/** An account to walk in: the one that the instance began with, with a key, a preset, an alias and a generation. */
export async function walkedAccount(
  instance: Reached,
  operations: readonly Operation[],
  walker: Walker,
  name = 'walk',
): Promise<WalkedAccount> {
  const { workspace_id: workspaceId, admin_user_id: userId } = instance.bootstrap;
  const key = await manage(instance, '/keys', { body: { name: `${name}-key` } });
  const hash = text(key.body['data']?.['hash']);
  await manage(instance, `/presets/${presetOf(name)}/responses`, { body: { model: 'sim/echo' } });
  const alias = { method: 'PUT', body: { models: ['sim/echo'] } };
  await manage(instance, `/model-aliases/${name}/default`, alias);
  return new WalkedAccount(operations, walker, {
    name,
    workspace_id: workspaceId,
    default_workspace_id: workspaceId,
    creator_user_id: userId,
    user_id: userId,
    user_ids: [userId],
    member_user_ids: [userId],
    allowed_user_ids: [userId],
    hash,
    key_hash: hash,
    api_key_hash: hash,
    key_hashes: [hash],
    allowed_api_key_hashes: [hash],
    api_key_hashes: [hash],
    generation_id: await generationOf(instance),
    file: 'page.js',
    provider: 'openai',
    model_permaslug: 'sim/echo',
    // A private endpoint at Azure gets its address from the credential, so a draft needs none.
    provider_slug: 'azure',
    upstream_model_id: 'echo',
    author: 'sim',
    is_fallback: false,
    default_text_model: 'sim/echo',
    default_plugins: [{ id: 'moderation' }],
    content_filters: [],
    content_filter_builtins: [],
    key: 'sk-proj-01234567',
  });
}

/** A query that says this. */
export function queryOf(parameters: Readonly<Record<string, string>>): string {
  return `?${new URLSearchParams(parameters).toString()}`;
}

/** `/a/{b}/c/{d}` → `/a`, `/a/{b}/c` */
function collectionsOf(path: string): readonly string[] {
  return [...path.matchAll(/\/\{/g)].map(({ index }) => path.slice(0, index));
}

function idOf(answer: unknown): string | undefined {
  const { data } = answer as { readonly data?: Readonly<Record<string, unknown>> };
  const id = data?.['id'] ?? data?.['hash'] ?? data?.['user'];
  return typeof id === 'string' ? id : undefined;
}

/** Returns a generation that the ledger has counted. */
async function generationOf(instance: Reached): Promise<string> {
  const body = { model: 'sim/echo', input: 'walk' };
  const answer = await json(instance, '/responses', { body });
  const id = text(answer.headers.get('x-generation-id') ?? answer.body['id']);
  await eventually(
    () => manage(instance, `/generation?id=${id}`),
    ({ status }) => status === 200,
  );
  return id;
}
