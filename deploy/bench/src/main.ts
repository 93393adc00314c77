import { benches } from './benches.ts';

/** Runs a bench: `main.ts NAME`. */
const [name = ''] = process.argv.slice(2);
const bench = benches[name];
if (!bench) throw new Error(`Name one of ${Object.keys(benches).join(', ')}.`);
await bench();
