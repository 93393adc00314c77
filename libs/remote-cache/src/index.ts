export { followChanges } from './follow-changes.ts';
export { type RemoteCache, type RemoteCacheOptions, createRemoteCache } from './remote-cache.ts';
