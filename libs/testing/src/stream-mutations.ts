export { mutate } from './stream-mutations/mutate.ts';
export type { Event, Mutation } from './stream-mutations/mutation.ts';
export { goodStreams, mutationsOf, type StreamFormat } from './stream-mutations/recorded.ts';
