import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';

/** The context of a command that the operator gives: the audit shows it as `system cli`. */
export function operatorContext(accountId: string, commandId: string): CommandContext {
  return {
    commandId,
    requestId: `cli-${commandId}`,
    accountId,
    actorType: 'system',
    actorId: 'cli',
    traceparent: '',
    clientIp: '',
    userAgent: '',
  };
}
