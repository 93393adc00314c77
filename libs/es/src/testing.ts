export { specification } from './testing/specification.ts';
export {
  eventStoreContract,
  type EventStoreContractOptions,
} from './testing/event-store-contract.ts';
