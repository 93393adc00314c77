import { invalidRequest, type Issue, type Rejection } from '@sluice/errors';
import type { Decider } from '@sluice/es';
import type {
  ChangeDestination,
  CreateDestination,
  DeleteDestination,
  DestinationCommand,
  DisableDestinationsOfWorkspace,
} from './commands.ts';
import type { DestinationEvent, DestinationSettings } from './events.ts';
import { conflictsOf, distinct, isSame, settingsIssues } from './settings.ts';
import { type Destinations, evolve, initial } from './state.ts';

export type DestinationRejection = Rejection<'invalid_request' | 'not_found' | 'conflict'>;

type Outcome = readonly DestinationEvent[] | DestinationRejection;

/** The contract's bound: of each type, in each workspace. */
const ofTypeMax = 5;
/** Each command folds all destinations of the account. */
const destinationsMax = 1_000;

function decide(command: DestinationCommand, destinations: Destinations): Outcome {
  switch (command.type) {
    case 'CreateDestination':
      return create(command, destinations);
    case 'ChangeDestination':
      return change(command, destinations);
    case 'DeleteDestination':
      return remove(command, destinations);
    case 'DisableDestinationsOfWorkspace':
      return disable(command, destinations);
  }
}

/** All destinations of an account are one aggregate: it counts those of a type. */
export const destinations: Decider<
  DestinationCommand,
  Destinations,
  DestinationEvent,
  DestinationRejection
> = { category: 'destinations', initial, evolve, decide };

const notFound: DestinationRejection = {
  rejected: 'not_found',
  message: 'There is no such destination',
};

function create(command: CreateDestination, all: Destinations): Outcome {
  const { destinationId, accountId, workspaceId, destinationType, sealed, occurredAt } = command;
  const settings = distinct(command.settings);
  const wrong = wrongIn(settings, settings);
  if (wrong.length > 0) return invalidRequest(wrong);
  if (all.has(destinationId)) return conflict('There is a destination of this id already');
  if (all.size >= destinationsMax)
    return conflict(`An account has at most ${destinationsMax} destinations`);
  const ofType = [...all.values()].filter(
    (one) => one.workspaceId === workspaceId && one.destinationType === destinationType,
  );
  if (ofType.length >= ofTypeMax)
    return conflict(`A workspace has at most ${ofTypeMax} destinations of a type`);
  const data = { destinationId, accountId, workspaceId, destinationType, ...sealed, settings };
  return [{ type: 'DestinationCreated', data: { ...data, createdAt: occurredAt } }];
}

function change(command: ChangeDestination, all: Destinations): Outcome {
  const { destinationId, changes, sealed, occurredAt: changedAt } = command;
  const destination = all.get(destinationId);
  if (!destination) return notFound;
  const settings = distinct({ ...destination.settings, ...changes });
  const wrong = wrongIn(changes, settings);
  if (wrong.length > 0) return invalidRequest(wrong);
  if (sealed && sealed.replacedSecretId !== destination.secretId)
    return conflict('The config of the destination was changed at the same time');
  const events: DestinationEvent[] = [];
  if (!isSame(settings, destination.settings))
    events.push({ type: 'DestinationUpdated', data: { destinationId, settings, changedAt } });
  if (sealed)
    events.push({ type: 'DestinationConfigured', data: { destinationId, ...sealed, changedAt } });
  return events;
}

/** Returns the invalid values, or else the values that exclude each other. */
function wrongIn(
  asked: Partial<DestinationSettings>,
  settings: DestinationSettings,
): readonly Issue[] {
  const issues = settingsIssues(asked);
  return issues.length > 0 ? issues : conflictsOf(settings);
}

function remove({ destinationId, occurredAt }: DeleteDestination, all: Destinations): Outcome {
  const destination = all.get(destinationId);
  if (!destination) return notFound;
  const data = { destinationId, secretId: destination.secretId, changedAt: occurredAt };
  return [{ type: 'DestinationDeleted', data }];
}

function disable(command: DisableDestinationsOfWorkspace, all: Destinations): Outcome {
  const { workspaceId, occurredAt: changedAt } = command;
  return [...all.values()]
    .filter((one) => one.workspaceId === workspaceId && one.settings.enabled)
    .map(({ destinationId, settings }) => ({
      type: 'DestinationUpdated',
      data: { destinationId, settings: { ...settings, enabled: false }, changedAt },
    }));
}

function conflict(message: string): DestinationRejection {
  return { rejected: 'conflict', message };
}
