export { decodeUsage } from './messages/decode.ts';
export { evenParts } from './reactions/even-parts.ts';
export { carryOutInDatabase } from './testing/carry-out-in-database.ts';
export { LedgerModel, type LedgerMutation, type ModelLease } from './testing/ledger-model.ts';
export type { Carried, LedgerOperation } from './testing/ledger-operation.ts';
