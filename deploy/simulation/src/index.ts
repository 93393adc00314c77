export { simulate, type Mutation, type Simulated } from './simulate.ts';
