export { translators } from '../wire-body.ts';
export { cutAt, readStream } from './read-stream.ts';
