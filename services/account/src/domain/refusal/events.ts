import { event, type EventOf, instant } from '@sluice/es';
import { Type } from 'typebox';

/** The refusals of an account. Names and shapes are the storage format. */
export const refusalStream = {
  category: 'audit',
  id: '<account id>',
  description: 'Requests of an account that were refused.',
  events: {
    CommandRefused: event('A request with a valid key was refused. Nothing else changed.', {
      accountId: Type.String(),
      action: Type.String({ description: '`resource.verb`.' }),
      resource: Type.Object({
        type: Type.String(),
        id: Type.String({ description: 'Empty: the request named none.' }),
      }),
      status: Type.Integer({ description: 'The status of the HTTP response.' }),
      reason: Type.String({ description: 'A code, never a value of the request.' }),
      leftOut: Type.Integer({
        description: 'How many refusals before this one were too many to be kept.',
      }),
      refusedAt: instant,
    }),
  },
};
export type RefusalEvent = EventOf<typeof refusalStream>;
