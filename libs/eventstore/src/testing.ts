export { type Administrator, administrator } from './testing/administrator.ts';
