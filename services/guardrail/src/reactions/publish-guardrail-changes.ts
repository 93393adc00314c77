import { accountNotice, type Bus, reactionNotice, subjects } from '@sluice/bus';
import type { Position, RecordedEvent } from '@sluice/es';
import { GuardrailsChanged } from '@sluice/protos/sluice/guardrail/v1/guardrail_events';
import { type Projection, type Queryable, requireHeld } from '@sluice/read-model';
import type { Aggregates } from '../store/aggregates.ts';
import { decodeFact } from '../store/facts.ts';
import { guardrailEvents } from '../store/guardrail-events.ts';
import { guardrailPhrasesEvents } from '../store/guardrail-phrases-events.ts';
import { keyGuardrailEvents } from '../store/key-guardrail-events.ts';
import { memberGuardrailEvents } from '../store/member-guardrail-events.ts';
import { unsupportedFeaturesEvents } from '../store/unsupported-features-events.ts';

/** Notifies the processes that cache effective policies. */
export const publishGuardrailChange = accountNotice(GuardrailsChanged, subjects.guardrailsChanged);

export interface GuardrailChangesDependencies {
  readonly bus: Pick<Bus, 'publishNotice'>;
  readonly aggregates: Pick<Aggregates, 'guardrail'>;
  /** Resolves with false when the read model does not hold the position in time. */
  readonly projected: (position: Position) => Promise<boolean>;
}

/**
 * Publishes each change of a guardrail or of its assignments once the read model shows it, also when the process
 * that made the change died before it could. Throws while the bus is away.
 */
export function publishGuardrailChanges({
  bus,
  aggregates,
  projected,
}: GuardrailChangesDependencies): Projection {
  return {
    projection: 'guardrail.publish_changes',
    version: 1,
    streamPrefixes: [
      guardrailEvents.streamPrefix,
      keyGuardrailEvents.streamPrefix,
      memberGuardrailEvents.streamPrefix,
      guardrailPhrasesEvents.streamPrefix,
      unsupportedFeaturesEvents.streamPrefix,
    ],
    tables: [],
    async apply(_transaction, events) {
      await requireHeld(projected, events);
      const accountIds = new Set<string>();
      for (const recorded of events) {
        const accountId = await accountOf(aggregates, recorded);
        if (accountId !== undefined) accountIds.add(accountId);
      }
      for (const accountId of accountIds)
        await publishGuardrailChange(bus, { accountId }, reactionNotice);
    },
    async applySetAside(connection, streams) {
      for (const accountId of await accountsOf(connection, streams))
        await publishGuardrailChange(bus, { accountId }, reactionNotice);
    },
  };
}

/** Returns the accounts of streams by the read model, since a broken event says nothing. */
async function accountsOf(
  connection: Queryable,
  streams: readonly string[],
): Promise<ReadonlySet<string>> {
  const idsUnder = (prefix: string) =>
    streams
      .filter((stream) => stream.startsWith(prefix))
      .map((stream) => stream.slice(prefix.length));
  const rows = await connection.query<{ accountId: string }>({
    text: `SELECT account_id AS "accountId" FROM guardrails
             WHERE guardrail_id::text = ANY ($1::text[])
           UNION SELECT account_id FROM key_assignments WHERE key_hash = ANY ($2::text[])`,
    values: [idsUnder(guardrailEvents.streamPrefix), idsUnder(keyGuardrailEvents.streamPrefix)],
  });
  return new Set([
    ...rows.map(({ accountId }) => accountId),
    ...idsUnder(guardrailPhrasesEvents.streamPrefix),
    ...idsUnder(unsupportedFeaturesEvents.streamPrefix),
  ]);
}

async function accountOf(
  aggregates: Pick<Aggregates, 'guardrail'>,
  recorded: RecordedEvent,
): Promise<string | undefined> {
  const { data } = decodeFact(recorded);
  return 'accountId' in data
    ? data.accountId
    : await ownerOf(aggregates, guardrailEvents.idOf(recorded.stream));
}

/** Reads the owner from the log: the event does not have it. */
async function ownerOf(
  aggregates: Pick<Aggregates, 'guardrail'>,
  guardrailId: string,
): Promise<string | undefined> {
  const guardrail = await aggregates.guardrail(guardrailId);
  return guardrail.status === 'none' ? undefined : guardrail.accountId;
}
