import { event, type EventOf, instant } from '@sluice/es';
import { Type } from 'typebox';

const change = { accountId: Type.String(), user: Type.String(), changedAt: instant };

/** The events of a registered end user. Names and shapes are the storage format. */
export const endUserStream = {
  category: 'endUser',
  id: '<SHA-256 of the account id and the user>',
  description: 'The registration of an end user by an organization.',
  events: {
    EndUserRegistered: event('An organization registered a person whom it passes on as `user`.', {
      accountId: Type.String(),
      user: Type.String(),
      registeredAt: instant,
    }),
    EndUserDeactivated: event(
      'A registration counts no more; also said of one that did not count before.',
      change,
    ),
    EndUserReactivated: event(
      'A registration counts; also said of one that counted before.',
      change,
    ),
  },
};
export type EndUserEvent = EventOf<typeof endUserStream>;
export type EndUserRegistered = EventOf<typeof endUserStream, 'EndUserRegistered'>;
export type EndUserDeactivated = EventOf<typeof endUserStream, 'EndUserDeactivated'>;
