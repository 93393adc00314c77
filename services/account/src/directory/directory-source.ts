/** A source of the users and groups of organizations. Adapters pass the contract in ./testing. */
export interface DirectorySource {
  /** Returns all of it, as it is now. Never throws: a failure is a sentence for the organization. */
  pull(accountId: string, signal: AbortSignal): Promise<Pulled>;
}

export type Pulled =
  | { readonly kind: 'pulled'; readonly snapshot: DirectorySnapshot }
  | { readonly kind: 'failed'; readonly reason: string };

export interface DirectorySnapshot {
  readonly users: readonly PulledUser[];
  readonly groups: readonly PulledDirectoryGroup[];
}

export interface PulledUser {
  readonly externalId: string;
  /** In lower case. */
  readonly email: string;
  readonly isActive: boolean;
}

export interface PulledDirectoryGroup {
  readonly externalId: string;
  readonly displayName: string;
  /** The ids of users. An id without a user belongs to a person that the directory does not show. */
  readonly memberIds: readonly string[];
}

/** The directory of a deployment that configures none. */
export const noDirectory: DirectorySource = {
  pull: async () => ({ kind: 'failed', reason: 'No directory is configured' }),
};
