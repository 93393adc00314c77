/** The events of a registered end user. Names and shapes are the storage format: see store/. */
export type EndUserEvent = EndUserRegistered | EndUserDeactivated | EndUserReactivated;

/** An organization registered a person whom it passes on as `user`. */
export interface EndUserRegistered {
  readonly type: 'EndUserRegistered';
  readonly data: {
    readonly accountId: string;
    readonly user: string;
    readonly registeredAt: string;
  };
}

/** A registration counts no more; also said of one that did not count before. */
export interface EndUserDeactivated {
  readonly type: 'EndUserDeactivated';
  readonly data: {
    readonly accountId: string;
    readonly user: string;
    readonly changedAt: string;
  };
}

/** A registration counts; also said of one that counted before. */
export interface EndUserReactivated {
  readonly type: 'EndUserReactivated';
  readonly data: {
    readonly accountId: string;
    readonly user: string;
    readonly changedAt: string;
  };
}
