import { answerCommands } from '../../harness/commanded-process.ts';
import { startBareProxy } from './bare-proxy.ts';

/** The bare proxy as a process of its own. It receives the address of the upstream and returns its own. */
answerCommands((upstreamUrl: string) => startBareProxy(upstreamUrl));
