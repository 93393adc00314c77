/** The mode of an account for unsupported features. Names and shapes are the storage format: see store/. */
export type UnsupportedFeaturesEvent = UnsupportedFeaturesModeSet;

/** Features that nothing serves are left out of requests and named, or the requests are refused. */
export type UnsupportedFeaturesMode = 'lenient' | 'strict';

/** Requests of the account that do not name a mode have this one from now on. */
export interface UnsupportedFeaturesModeSet {
  readonly type: 'UnsupportedFeaturesModeSet';
  readonly data: {
    readonly accountId: string;
    readonly mode: UnsupportedFeaturesMode;
    readonly setAt: string;
  };
}
