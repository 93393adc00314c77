export { eventually, type Patience, until } from './eventually.ts';
