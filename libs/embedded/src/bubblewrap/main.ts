import { ensureBwrap } from './install.ts';

/** Fetches bwrap where it is missing. An installation without it goes on: no code of models runs there. */
await ensureBwrap(process.env, (line) => console.error(line));
