import { Fault } from '@sluice/errors';
import { type AskedNode, examineStore, type StoreExamination } from '@sluice/eventstore';
import { checkHosts, placeOf } from './check-store-hosts.ts';
import { checkRights } from './check-store-rights.ts';
import { clockFinding } from './clock.ts';
import { type Finding, fine, wrong } from './finding.ts';
import { type DoctorSettings, isUnknown } from './settings.ts';

/** The stream that the doctor writes to. No service reads it. */
const probeStream = 'doctor-1';

/** The event store: reached, its version and members, TLS, and the rights of the user. */
export async function checkStore(settings: DoctorSettings): Promise<readonly Finding[]> {
  const { eventStore, namespace } = settings;
  if (isUnknown(eventStore))
    return [
      wrong('event store', eventStore.unknown, 'set it to esdb://user:password@host:2113?tls=true'),
    ];
  const stream = namespace === '' ? probeStream : `${namespace}.${probeStream}`;
  try {
    const found = await examineStore(eventStore.reveal(), stream);
    return [...checkHosts(found), ...nodeFindings(found)];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [wrong('event store', error.message, 'mend SLUICE_EVENTSTORE_URL')];
  }
}

function nodeFindings(found: StoreExamination): readonly Finding[] {
  const { asked, user, tls } = found;
  if (!asked) return [];
  const { version, rights } = asked;
  if (version === undefined) return [refusedFinding(asked, found)];
  const clock = rights?.clockAheadMs;
  return [
    fine('event store: version', `EventStoreDB ${version} answers at ${asked.address}`),
    ...memberFindings(asked),
    ...(rights ? checkRights(rights, { user, tls }) : []),
    ...(clock === undefined ? [] : [clockFinding('event store: clock', clock)]),
  ];
}

function refusedFinding({ address, reason }: AskedNode, { user, tls }: StoreExamination): Finding {
  if (reason === 'wrong_credentials')
    return wrong(
      'event store: credentials',
      `The event store refuses the user ${user ?? '(none)'} or its password`,
      'mend the user and the password in SLUICE_EVENTSTORE_URL; percent-encode signs such as @ and /',
    );
  return wrong(
    'event store: version',
    `The server at ${address} does not answer as an event store does (${reason ?? ''})`,
    tls
      ? 'see that SLUICE_EVENTSTORE_URL names the port of EventStoreDB, 2113 as a rule'
      : 'if it asks for TLS, write tls=true&tlsCAFile=… into SLUICE_EVENTSTORE_URL',
  );
}

function memberFindings({ members }: AskedNode): readonly Finding[] {
  const check = 'event store: members';
  if (members.length === 0) return [];
  const listed = members
    .map((member) => `${placeOf(member)} ${member.isAlive ? member.state : 'dead'}`)
    .join(', ');
  if (!members.some(({ isAlive, state }) => isAlive && state === 'Leader'))
    return [
      wrong(
        check,
        `No node leads: ${listed}`,
        'start nodes until more than half of them run; they elect a leader within seconds',
      ),
    ];
  if (members.some(({ isAlive }) => !isAlive))
    return [
      wrong(
        check,
        `A node is down: ${listed}`,
        'start it again (restart: always); another failure may stop all writes',
      ),
    ];
  const hidden = members.find(({ reached }) => reached?.problem !== undefined);
  if (hidden)
    return [
      wrong(
        check,
        `The cluster advertises ${placeOf(hidden)}, which this machine cannot reach (${hidden.reached?.code})`,
        'advertise addresses that clients reach (EVENTSTORE_ADVERTISE_HOST_TO_CLIENT_AS)',
      ),
    ];
  return [fine(check, listed)];
}
