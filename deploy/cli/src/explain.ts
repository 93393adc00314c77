import { type ErrorCode, Fault, type Issue } from '@sluice/errors';
import { describeFailure } from '@sluice/eventstore';
import { ArchiveBusy, DayChanged, FactsArchived } from '@sluice/ledger/archive';
import { ArchiveUnreadable } from '@sluice/ledger/verification';
import { PoisonedEvent, RebuildRefused } from '@sluice/read-model';
import { FileNotUnderstood } from './agents/file-not-understood.ts';
import { ApiRefused } from './api/call-api.ts';
import { NoConnections } from './connections-file.ts';
import { PricesUnreadable } from './ledger/rerate.ts';
import { ReceiptsUnreadable } from './ledger/receipt-lines.ts';
import { UnknownProjection } from './projections/known.ts';
import { WrongUsage } from './wrong-usage.ts';

const sentences = [
  ApiRefused,
  ArchiveBusy,
  ArchiveUnreadable,
  DayChanged,
  FactsArchived,
  FileNotUnderstood,
  WrongUsage,
  RebuildRefused,
  NoConnections,
  PricesUnreadable,
  ReceiptsUnreadable,
  UnknownProjection,
];
/** A service says no to what was asked: its message says why. */
const refusals: readonly ErrorCode[] = ['not_found', 'conflict', 'authentication_invalid'];

/** One line for whoever typed the command, without a stack. */
export function explain(error: unknown): string {
  if (sentences.some((type) => error instanceof type)) return (error as Error).message;
  if (error instanceof PoisonedEvent) {
    const { message, cause } = error;
    return `${message[0]?.toUpperCase()}${message.slice(1)}: ${reason(cause)}.`;
  }
  if (!(error instanceof Fault)) return `This failed: ${reason(error)}.`;
  if (error.code === 'read_model_unavailable')
    return `PostgreSQL cannot be used now: ${reason(error.cause)}.`;
  if (error.code === 'event_store_unavailable')
    return `The event store cannot be used now: ${storeReason(error)}.`;
  if (error.code === 'unavailable' && error.cause instanceof Error)
    return `A service cannot be reached now: ${reason(error.cause)}.`;
  if (error.code === 'invalid_request') return `This is refused: ${issuesOf(error)}.`;
  if (refusals.includes(error.code)) return `This is refused: ${reason(error)}.`;
  return `This failed: ${reason(error)} (${error.code}).`;
}

/** The message is for API clients and names no address; the cause is for operators. */
function storeReason(fault: Fault): string {
  return reason(fault.cause === undefined ? fault : new Error(describeFailure(fault.cause)));
}

/** All that is wrong with what was sent. */
function issuesOf(fault: Fault): string {
  const { issues } = fault.metadata as { readonly issues?: readonly Issue[] };
  if (!Array.isArray(issues) || issues.length === 0) return reason(fault);
  return (issues as readonly Issue[]).map(({ path, message }) => `${path} ${message}`).join('; ');
}

/** Errors of several addresses at once have no message of their own. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'nobody knows why';
  const { code } = error as { code?: unknown };
  const text = error.message === '' && typeof code === 'string' ? code : error.message;
  return text.replaceAll(/\s+/g, ' ').replace(/\.$/, '');
}
