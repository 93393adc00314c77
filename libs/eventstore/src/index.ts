export { connectEventStore, type ConnectedEventStore, type ConnectOptions } from './connect.ts';
export { parseStoreAddress, type StoreAddress, type StoreHost } from './store-address.ts';
