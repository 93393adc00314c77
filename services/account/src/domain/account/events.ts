/** What happens to an account. Names and shapes are the storage format: see store/. */
export type AccountEvent = AccountOpened | CreditsGranted;

export type AccountKind = 'personal' | 'organization';

/** An account exists from now on, with its owner and its default workspace. */
export interface AccountOpened {
  readonly type: 'AccountOpened';
  readonly data: {
    readonly accountId: string;
    readonly kind: AccountKind;
    readonly name: string;
    readonly ownerUserId: string;
    readonly defaultWorkspaceId: string;
    readonly openedAt: string;
  };
}

/** Credits were given to an account without a purchase; once per grant id. */
export interface CreditsGranted {
  readonly type: 'CreditsGranted';
  readonly data: {
    readonly accountId: string;
    readonly grantId: string;
    /** A whole number of nano-USD above 0, in decimal digits. */
    readonly amountNanoUsd: string;
    readonly reason: string;
    readonly grantedAt: string;
  };
}
