import type { Destination } from '../domain/destination.ts';

/** Returns a text of the settings of a destination. One without a value is the empty text. */
export function setting({ config }: Pick<Destination, 'config'>, name: string): string {
  const value = config[name];
  return typeof value === 'string' ? value : '';
}
