/** The events of an account. Names and shapes are the storage format: see store/. */
export type AccountEvent =
  | AccountOpened
  | CreditsGranted
  | CreditsPurchased
  | CreditsRefunded
  | OrganizationSettingsChanged
  | EntitlementChanged;

export type AccountKind = 'personal' | 'organization';

/** The features that an account may have: directory groups (SCIM). */
export type Entitlement = 'scim';

/** An account exists from now on, with its owner and its default workspace. */
export interface AccountOpened {
  readonly type: 'AccountOpened';
  readonly data: {
    readonly accountId: string;
    readonly kind: AccountKind;
    readonly name: string;
    readonly ownerUserId: string;
    /** null: it was not given. */
    readonly ownerEmail: string | null;
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

/** Credits were bought for an account; once per purchase id. */
export interface CreditsPurchased {
  readonly type: 'CreditsPurchased';
  readonly data: {
    readonly accountId: string;
    readonly purchaseId: string;
    /** A whole number of nano-USD above 0, in decimal digits. */
    readonly amountNanoUsd: string;
    readonly reason: string;
    readonly purchasedAt: string;
  };
}

/** Credits of a purchase were taken back and paid out; once per refund id, never more than was bought. */
export interface CreditsRefunded {
  readonly type: 'CreditsRefunded';
  readonly data: {
    readonly accountId: string;
    readonly refundId: string;
    readonly purchaseId: string;
    /** The amount that was taken back: a whole number of nano-USD above 0, in decimal digits. */
    readonly amountNanoUsd: string;
    readonly reason: string;
    readonly refundedAt: string;
  };
}

/** An organization changed the settings of all of its keys. The event holds all settings. */
export interface OrganizationSettingsChanged {
  readonly type: 'OrganizationSettingsChanged';
  readonly data: {
    readonly accountId: string;
    /** `GET /models` shows a key only the models that it may use. */
    readonly isFilteredModelCatalogEnabled: boolean;
    readonly changedAt: string;
  };
}

/** The operator gave an account something that it may have, or took it away. */
export interface EntitlementChanged {
  readonly type: 'EntitlementChanged';
  readonly data: {
    readonly accountId: string;
    readonly entitlement: Entitlement;
    readonly isEnabled: boolean;
    readonly changedAt: string;
  };
}
