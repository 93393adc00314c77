import { Fault } from '@sluice/errors';

/** A member that the other side always sets; its absence is a bug there. */
export function present<T>(member: T | undefined): T {
  if (member === undefined) throw new Fault('internal', { message: 'an rpc left its answer out' });
  return member;
}
