import type { ModelOptions } from '@sluice/inference';
import { derivedId } from '@sluice/clock-and-ids';

const knownMax = 10_000;

/** What providers see in place of those who ask: always the same of the same one, in each account another. */
export class Pseudonyms {
  /** To make one takes a hash: those of late are kept. */
  readonly #known = new Map<string, string>();

  /** Of the account's end user; undefined: the client names none, and the account stands for them. */
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
