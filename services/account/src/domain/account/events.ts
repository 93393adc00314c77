/** What happens to an account. Names and shapes are the storage format: see store/. */
export type AccountEvent = AccountOpened | CreditsGranted;

export type AccountKind = 'personal' | 'organization';

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
