export { connectEventStore, type ConnectedEventStore, type ConnectOptions } from './connect.ts';
