import { Fault } from '@sluice/errors';
import { PoisonedEvent, RebuildRefused } from '@sluice/read-model';
import { NoConnections } from './connections.ts';
import { UnknownProjection } from './projections/known.ts';

const sentences = [RebuildRefused, NoConnections, UnknownProjection];

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
    return `The event store cannot be used now: ${reason(error)}.`;
  return `This failed: ${reason(error)} (${error.code}).`;
}

/** Errors of several addresses at once have no message of their own. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'nobody knows why';
  const { code } = error as { code?: unknown };
  const text = error.message === '' && typeof code === 'string' ? code : error.message;
  return text.replaceAll(/\s+/g, ' ').replace(/\.$/, '');
}
