import { noFaults, type FaultSwitches } from './fault-switches.ts';

/** A message from the parent process: new switches, or the order to end at once with status 0. */
export type FaultMessage = { readonly faults: Partial<FaultSwitches> } | { readonly exit: true };

/** The answer to the parent process, one for each message. */
export type FaultAnswer = { readonly ok: true } | { readonly ok: false; readonly reason: string };

const checks: { readonly [Name in keyof FaultSwitches]: (value: unknown) => boolean } = {
  delayMs: isCount,
  unavailableCalls: isCount,
  notLeader: (value) => value === undefined || isAddress(value),
  lostResponses: isCount,
  timedOutAppends: isCount,
  timedOutAppendMs: isCount,
  unansweredAppends: isCount,
  electionUntilMs: isCount,
  electionRefusal: (value) => value === 'not_ready' || value === 'busy' || value === 'no_leader',
  frozenUntilMs: isCount,
  subscriptionEventsMax: (value) => value === undefined || isCount(value),
  repeatedEvents: isCount,
  syncDelayMs: isCount,
  positionGaps: (value) => typeof value === 'boolean',
  appendsPerSystemEvent: isCount,
};

/**
 * Switches of a node in a process of its own. Only the process that started it can change them, over the IPC channel
 * that `fork` opens: there is nothing to listen on. Throws one sentence when there is no such channel.
 */
export function takeFaults(channel: Pick<NodeJS.Process, 'send' | 'on' | 'exit'>): FaultSwitches {
  const reply = channel.send?.bind(channel);
  if (!reply)
    throw new Error('--faults is for tests: the node must be started with an IPC channel.');
  const faults = noFaults();
  channel.on('message', (message: unknown) => {
    if (isRecord(message) && message['exit'] === true) channel.exit(0);
    reply(change(faults, message) satisfies FaultAnswer);
  });
  return faults;
}

function change(faults: FaultSwitches, message: unknown): FaultAnswer {
  const given = isRecord(message) ? message['faults'] : undefined;
  if (!isRecord(given)) return { ok: false, reason: 'The message has neither faults nor exit.' };
  for (const [name, value] of Object.entries(given))
    if (!Object.hasOwn(checks, name) || !checks[name as keyof FaultSwitches](value))
      return { ok: false, reason: `'${name}' is no switch, or has no such position.` };
  Object.assign(faults, given);
  return { ok: true };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isAddress(value: unknown): boolean {
  return isRecord(value) && typeof value['host'] === 'string' && isCount(value['port']);
}
