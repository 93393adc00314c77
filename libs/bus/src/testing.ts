export { busContract, type BusContractOptions } from './testing/bus-contract.ts';
