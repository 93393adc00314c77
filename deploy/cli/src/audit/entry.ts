import type { RecordedEvent } from '@sluice/es';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** One thing that was done or refused. */
export interface AuditEntry {
  readonly id: string;
  /** ISO 8601 UTC. */
  readonly occurredAt: string;
  readonly accountId: string | null;
  readonly actor: { readonly type: string; readonly id: string };
  /** `resource.verb` */
  readonly action: string;
  readonly resource: { readonly type: string; readonly id: string };
  /** The part of the resource that it is about, as the event names it. null: all of the resource. */
  readonly part: { readonly field: string; readonly id: string } | null;
  readonly outcome: 'accepted' | 'refused';
  /** Says why it was refused; null for what was accepted. */
  readonly refusal: Refusal | null;
  readonly request: {
    readonly id: string;
    readonly ip: string | null;
    readonly userAgent: string | null;
  };
  /** The stream of the entry, with its revision. */
  readonly stream: string;
  readonly revision: string;
}

export interface Refusal {
  /** The status of the HTTP answer. */
  readonly status: number;
  readonly reason: string;
  /** Number of refusals before this one that were too many to be kept. */
  readonly leftOut: number;
}

const text = Type.String();
const metadataSchema = Type.Object({
  occurredAt: text,
  actor: Type.Object({ type: text, id: text }),
  requestId: text,
  clientIp: Type.Optional(text),
  userAgent: Type.Optional(text),
});
const refusalSchema = Type.Object({
  action: text,
  resource: Type.Optional(Type.Object({ type: text, id: text })),
  status: Type.Number(),
  reason: text,
  leftOut: Type.Optional(Type.Number()),
});
const ofAccount = Type.Object({ accountId: text });

/** The category of the streams of refused commands. */
export const refusedCategory = 'audit';

/** Returns undefined for an event that no command of ours wrote. */
export function entryOf(event: RecordedEvent): AuditEntry | undefined {
  if (!Value.Check(metadataSchema, event.metadata)) return undefined;
  const { occurredAt, actor, requestId, clientIp: ip = null, userAgent = null } = event.metadata;
  const category = categoryOf(event.stream);
  const common = {
    id: event.id,
    occurredAt,
    actor,
    request: { id: requestId, ip, userAgent },
    stream: event.stream,
    revision: String(event.revision),
    accountId: Value.Check(ofAccount, event.data) ? event.data.accountId : null,
  };
  const id = event.stream.slice(category.length + 1);
  if (category === refusedCategory && Value.Check(refusalSchema, event.data)) {
    const { action, resource = { type: 'account', id }, status, reason, leftOut = 0 } = event.data;
    const accountId = common.accountId ?? id;
    const refusal = { status, reason, leftOut };
    return { ...common, action, resource, part: null, outcome: 'refused', refusal, accountId };
  }
  const type = snake(category);
  const action = `${type}.${verbOf(type, snake(event.type))}`;
  const resource = { type, id };
  return { ...common, action, resource, part: partOf(event), outcome: 'accepted', refusal: null };
}

/**
 * Names the part of a stream that an event is about: the first of these fields that it has. An event
 * without one is about the whole stream. Two parts share no values.
 */
const partFields: Readonly<Record<string, readonly string[]>> = {
  account: ['grantId', 'refundId', 'purchaseId', 'entitlement'],
  byok: ['credentialId'],
  keyGuardrail: ['guardrailId'],
  memberGuardrail: ['guardrailId'],
  scimDirectory: ['mappingId', 'groupId'],
  scimSync: ['jobId'],
  workspace: ['interval'],
  workspaceMembers: ['userId'],
};

/** Returns the part of its stream that an event is about. null: all of it. */
export function partOf({
  stream,
  data,
}: Pick<RecordedEvent, 'stream' | 'data'>): AuditEntry['part'] {
  const fields = (data ?? {}) as Readonly<Record<string, unknown>>;
  const field = partFields[categoryOf(stream)]?.find((name) => fields[name] !== undefined);
  return field === undefined ? null : { field, id: String(fields[field]) };
}

/** `apiKey-7f3a…` → `apiKey`, `installation` → `installation` */
export function categoryOf(stream: string): string {
  const [category = ''] = stream.split('-', 1);
  return category;
}

/** `api_key`, `api_key_limit_changed` → `limit_changed` */
function verbOf(resource: string, event: string): string {
  return event.startsWith(`${resource}_`) ? event.slice(resource.length + 1) : event;
}

export function snake(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
