import { hash } from 'node:crypto';
import type { InferenceCall } from '@sluice/inference-port';
import type { AlignmentResult } from '../../request/alignment.ts';
import { demandsOf } from '../../policy/demands-of.ts';
import type { Policy } from '../../policy/policy.ts';
import type { CanonicalCall } from '../../request/call.ts';
import type { Plan } from '../../selection/plan.ts';
import type { KeptResponse } from './response-cache.ts';
import { withoutSpace } from './without-space.ts';

/** The facts of a plan that decide about the cache. */
interface Planned {
  readonly policy: Policy;
  readonly plan: Pick<Plan, 'attempts'>;
  readonly request: Pick<CanonicalCall, 'preset'>;
  /** Absent: the answer begins with the model. */
  readonly beginning: object | undefined;
  /** Absent: a client asks. */
  readonly inner?: object;
}

const ttlSecondsUsual = 300;
const second = 1_000;

/** The use of the cache by one response. */
export class Caching {
  /** If undefined, the account's rules forbid that answers are kept. */
  readonly key: string | undefined;
  /** The answer that is kept is dropped. */
  readonly clears: boolean;
  readonly ttlMs: number;
  /** An answer that was found before paid work of the plan was left out. It is repeated even if it has expired. */
  readonly found: KeptResponse | undefined;
  #headers: Readonly<Record<string, string>> = { 'x-service-cache-status': 'DISABLED' };
  #sourceId: string | undefined;
  #alignment: AlignmentResult | undefined;

  constructor(
    key: string | undefined,
    { clears, ttlSeconds }: { readonly clears?: true; readonly ttlSeconds: number },
    find?: (key: string) => KeptResponse | undefined,
  ) {
    this.key = key;
    this.clears = clears === true;
    this.found = key === undefined || this.clears ? undefined : find?.(key);
    this.ttlMs = ttlSeconds * second;
    if (key !== undefined) this.#tell('MISS', this.ttlMs);
  }

  /** The headers that report the cache to the client. */
  get headers(): Readonly<Record<string, string>> {
    return this.#headers;
  }

  /** The id of the generation whose answer is repeated. undefined: the answer is new. */
  get sourceId(): string | undefined {
    return this.#sourceId;
  }

  /** The judgments of the answer that is repeated. undefined: its request has no rules. */
  get alignment(): AlignmentResult | undefined {
    return this.#alignment;
  }

  hit({ generationId, keptAtMs, expiresAtMs, alignment }: KeptResponse, nowMs: number): void {
    this.#sourceId = generationId;
    this.#alignment = alignment;
    this.#tell('HIT', expiresAtMs - nowMs, {
      'x-service-cache-age': String(Math.floor((nowMs - keptAtMs) / second)),
      'x-service-cache-source-id': generationId,
    });
  }

  #tell(status: string, ttlMs: number, more: Readonly<Record<string, string>> = {}): void {
    const ttl = String(Math.ceil(ttlMs / second));
    this.#headers = { 'x-service-cache-status': status, 'x-service-cache-ttl': ttl, ...more };
  }
}

/** Returns true if the client or its preset asks for the cache. A preset may forbid it. */
export function asksForCache(
  { client }: InferenceCall,
  { preset }: Pick<CanonicalCall, 'preset'>,
): boolean {
  if (preset?.cacheEnabled === false) return false;
  return (client?.cache?.isOn ?? preset?.cacheEnabled) === true;
}

/**
 * Returns how a response uses the cache; undefined: neither the client nor its preset asks for it, or a tool asks the
 * model. The client's time stands before that of the preset.
 */
export function cachingOf(
  call: InferenceCall,
  planned: Planned,
  find?: (key: string) => KeptResponse | undefined,
): Caching | undefined {
  const cache = call.client?.cache;
  const { preset } = planned.request;
  if (!asksForCache(call, planned.request) || planned.inner) return undefined;
  const wish = {
    ...cache,
    ttlSeconds: cache?.ttlSeconds ?? preset?.cacheTtlSeconds ?? ttlSecondsUsual,
  };
  return new Caching(mayKeep(planned) ? keyOf(call, planned) : undefined, wish, find);
}

/** Returns false where zero retention is demanded, and for a response that begins with a call of a tool. */
function mayKeep({ policy, beginning }: Planned): boolean {
  const demanded = Object.values(demandsOf(policy).zeroRetention);
  return !beginning && !demanded.includes(true);
}

/**
 * Returns the key of an answer: of the caller, the door, the features of Anthropic's protocol that are asked for, the
 * body without its white space, and all that an administrator or the catalog may change about the answer.
 */
function keyOf(
  { principal, dialect, body, client }: InferenceCall,
  { policy, plan, request: { preset } }: Planned,
): string {
  const { accountId, workspaceId, keyHash } = principal;
  const models = plan.attempts.map(({ model }) => model.id);
  const betas = client?.anthropicBetas?.toSorted() ?? [];
  const text = hash('sha256', withoutSpace(body), 'base64url');
  const rules = rulesOf(policy);
  const parts = [accountId, workspaceId, keyHash, dialect, betas, models, rules, text];
  if (preset) parts.push(`${preset.id}@${String(preset.version)}`);
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

const known = new WeakMap<Policy, string>();

/** Returns a text that is another one when a rule for the answer changes. */
function rulesOf(policy: Policy): string {
  let text = known.get(policy);
  if (text === undefined) {
    const { budgets: _budgets, ...rules } = policy;
    text = hash('sha256', JSON.stringify(rules, withBigInts), 'base64url');
    known.set(policy, text);
  }
  return text;
}

function withBigInts(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
