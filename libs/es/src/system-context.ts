import type { CommandContext } from './command-handler.ts';

export interface SystemCommand {
  /** A function of the cause, so that the same cause is followed by one command, however often it comes. */
  readonly commandId: string;
  /** The cause in a word: it begins the request id. */
  readonly cause: string;
  readonly occurredAt: string;
}

/** Returns the context of a command that a service gives by itself. */
export function systemContext(
  service: string,
  { commandId, cause, occurredAt }: SystemCommand,
): CommandContext {
  const actor = { type: 'system', id: service } as const;
  return { commandId, requestId: `${cause}-${commandId}`, occurredAt, actor };
}
