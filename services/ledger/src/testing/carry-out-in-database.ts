import type { Database } from '@sluice/read-model';
import { acquireLeases } from '../commands/acquire-leases.ts';
import { closeEpochs } from '../commands/close-epochs.ts';
import { correctUsage } from '../commands/correct-usage.ts';
import { readWatermark } from '../queries/read-watermark.ts';
import { settleBatch } from '../reactions/settle-batch.ts';
import { settleCredits } from '../reactions/settle-credits.ts';
import { settleLimits } from '../reactions/settle-limits.ts';
import { settleUsage } from '../reactions/settle-usage.ts';
import type { LedgerOperation } from './ledger-operation.ts';

const message = { subject: 's', id: undefined, data: {}, bytes: Buffer.of(), redelivered: false };

/** Carries an operation out in PostgreSQL, as the ledger does. Returns what `LedgerModel` answers for it. */
export async function carryOutInDatabase(
  database: Database,
  operation: LedgerOperation,
): Promise<unknown> {
  switch (operation.do) {
    case 'settle usage':
      await settleBatch(database, operation.decoded, settleUsage);
      return undefined;
    case 'correct usage':
      return await database.transaction(async (transaction) => {
        const { testimonies, source } = operation;
        return (await correctUsage(transaction, testimonies, source)).length;
      });
    case 'add credit':
      await settleBatch(database, [{ message, fact: operation.entry }], settleCredits);
      return undefined;
    case 'set limits':
      await settleBatch(database, [{ message, fact: operation.fact }], settleLimits);
      return undefined;
    case 'acquire':
      return await acquireLeases(database, operation.writer, operation.requests);
    case 'close epochs':
      return await closeEpochs(database, operation.writer);
    case 'read watermark':
      return await readWatermark(database, operation.writer);
  }
}
