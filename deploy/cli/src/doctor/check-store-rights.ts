import type { Answer, StoreRights } from '@sluice/eventstore';
import { type Finding, fine, wrong } from './finding.ts';

interface Asking {
  readonly user: string | undefined;
  readonly tls: boolean;
}

interface Right {
  readonly check: string;
  /** The end of the sentence "The user may …". */
  readonly may: string;
  readonly name: 'append' | 'readAll' | 'subscribeAll';
  readonly grant: string;
}

const readAllGrant =
  'run sluice eventstore prepare-user, or put the user into "$r" of the ACL of $all (docs/operations/eventstore.md)';

const rights: readonly Right[] = [
  {
    check: 'event store: append',
    may: 'append',
    name: 'append',
    grant:
      'run sluice eventstore prepare-user --exclusive, or put the user into "$w" of "$userStreamAcl" in $settings',
  },
  { check: 'event store: read $all', may: 'read $all', name: 'readAll', grant: readAllGrant },
  {
    check: 'event store: subscribe',
    may: 'subscribe to $all',
    name: 'subscribeAll',
    grant: readAllGrant,
  },
];

/** Each right that the services need, by its name. */
export function checkRights(found: StoreRights, asking: Asking): readonly Finding[] {
  const answers = rights.map((right) => ({ right, answer: found[right.name] }));
  const { user, tls } = asking;
  if (tls && user === undefined && answers.some(({ answer }) => answer.kind === 'no_right'))
    return [
      wrong(
        'event store: credentials',
        'SLUICE_EVENTSTORE_URL names no user, and the event store asks for one',
        'write it as esdb://user:password@host:2113?tls=true',
      ),
    ];
  return answers.map(({ right, answer }) => rightFinding(right, answer, asking));
}

function rightFinding({ check, may, grant }: Right, answer: Answer, { user }: Asking): Finding {
  const who = user === undefined ? 'Everybody' : `The user ${user}`;
  switch (answer.kind) {
    case 'granted':
      return fine(check, `${who} may ${may}`);
    case 'no_right':
      return wrong(check, `${who} may not ${may}`, grant);
    case 'wrong_credentials':
      return wrong(
        check,
        `The event store refuses the user ${user ?? '(none)'} or its password`,
        'mend the user and the password in SLUICE_EVENTSTORE_URL',
      );
    case 'failed':
      return wrong(
        check,
        `It could not be tried (${answer.reason})`,
        'see that a leader is there and that more than half of the nodes run, and look at their disks and logs',
      );
  }
}
