import type { ModelOptions } from '@sluice/inference';
import { derivedId } from '@sluice/clock-and-ids';

const knownMax = 10_000;

/** Names of end users and accounts as providers see them: stable, and different in each account. */
export class Pseudonyms {
  /** To make one takes a hash: those of late are kept. */
  readonly #known = new Map<string, string>();

  /** Returns the name of the account's end user, or of the account if the client names none. */
  of(
    accountId: string,
    endUser: string | undefined,
  ): Pick<ModelOptions, 'accountUser' | 'endUser'> {
    return endUser === undefined
      ? { accountUser: this.#find(accountId, () => derivedId('account', accountId)) }
      : {
          endUser: this.#find(`${accountId} ${endUser}`, () =>
            derivedId('end user', accountId, endUser),
          ),
        };
  }

  #find(key: string, make: () => string): string {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= knownMax) this.#known.clear();
    const made = make();
    this.#known.set(key, made);
    return made;
  }
}
