import type { EventStore } from '@sluice/es';
import { readLog } from '../../read-log.ts';
import type { Sent } from '../command.ts';
import { streamPrefixes, type Witness } from '../witness.ts';
import { auditCommands } from './audit-commands.ts';
import { auditLog } from './audit-log.ts';
import { auditReadModels } from './audit-read-models.ts';
import { auditStreams, auditWitness } from './audit-witness.ts';
import type { StoredReadModels } from './stored-read-models.ts';

export interface Audited {
  readonly events: number;
  readonly rows: number;
  /** The violations, in sentences. Empty if there is none. */
  readonly findings: readonly string[];
}

export interface AuditOptions {
  readonly store: EventStore;
  readonly stored: StoredReadModels;
  readonly witness: Witness;
  readonly sent: readonly Sent[];
}

/** Reads the log once nothing is written any more, and holds everything against it. */
export async function audit({ store, stored, witness, sent }: AuditOptions): Promise<Audited> {
  const log = await readLog(store, streamPrefixes);
  const readModels = await auditReadModels(stored, log);
  const findings = [
    ...auditLog(log),
    ...auditCommands(sent, log),
    ...(await auditWitness(witness, log)),
    ...(await auditStreams(store, log)),
    ...readModels.findings,
  ];
  return { events: log.length, rows: readModels.rows, findings };
}
