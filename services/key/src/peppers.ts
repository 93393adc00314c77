/** The check of a pepper, for tools that examine an installation. */
export { assertPeppers, examinePepper } from './commands/check-peppers.ts';
