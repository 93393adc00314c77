import { isIP } from 'node:net';
import { invalidRequest, type Issue, rejectionToFault } from '@sluice/errors';
import type { Actor, CommandContext } from '@sluice/es';
import type { CommandContext as SentContext } from '@sluice/protos/sluice/context/v1/context';
import { callSignal } from './call-signal.ts';

/** The caller of the command and its account. The account is never taken from elsewhere. */
export interface ReceivedContext extends CommandContext {
  readonly accountId: string;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
/** Also a part of stream names and subjects. */
const idPattern = /^[A-Za-z0-9_-]{1,128}$/;
const traceparentPattern = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Printable ASCII: the value appears in logs and in events. */
const userAgentPattern = /^[\x20-\x7e]{1,256}$/;
const actorTypes = [
  'management_key',
  'api_key',
  'user',
  'system',
] as const satisfies readonly Actor['type'][];

/**
 * The context that came with a command, with the signal of the call that is being answered. Throws
 * Fault invalid_request with all issues.
 */
export function commandContext(sent: SentContext | undefined, now: Date): ReceivedContext {
  const { commandId = '', requestId = '', accountId = '', actorId = '' } = sent ?? {};
  const actorType = actorTypes.find((type) => type === sent?.actorType);
  const issues: Issue[] = [];
  const require = (valid: boolean, name: string, message: string) => {
    if (!valid) issues.push({ path: `context.${name}`, message });
  };
  require(uuid.test(commandId), 'command_id', 'must be a UUID');
  require(idPattern.test(requestId), 'request_id', 'must be an id');
  require(idPattern.test(accountId), 'account_id', 'must be an id');
  require(idPattern.test(actorId), 'actor_id', 'must be an id');
  if (actorType === undefined || issues.length > 0) {
    require(actorType !== undefined, 'actor_type', `must be one of ${actorTypes.join(', ')}`);
    throw rejectionToFault(invalidRequest(issues));
  }
  const { traceparent = '', clientIp = '', userAgent = '' } = sent ?? {};
  const signal = callSignal();
  return {
    commandId,
    requestId,
    accountId,
    occurredAt: now.toISOString(),
    actor: { type: actorType, id: actorId },
    ...(traceparentPattern.test(traceparent) ? { traceparent } : {}),
    ...(isIP(clientIp) === 0 ? {} : { clientIp }),
    ...(userAgentPattern.test(userAgent) ? { userAgent } : {}),
    ...(signal ? { signal } : {}),
  };
}
