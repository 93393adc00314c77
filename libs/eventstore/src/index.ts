export type { StoreStanding } from './standing.ts';
export { connectEventStore, type ConnectedEventStore, type ConnectOptions } from './connect.ts';
export { describeFailure } from './failure.ts';
export { examineStore, type AskedNode, type StoreExamination } from './examine/examine-store.ts';
export type { Answer } from './examine/node-calls.ts';
export type { Rights as StoreRights } from './examine/try-rights.ts';
export type { ReachedHost } from './examine/reach-host.ts';
export { prepareUser, type PrepareUserOptions } from './prepare-user.ts';
export { parseStoreAddress, type StoreAddress, type StoreHost } from './store-address.ts';
