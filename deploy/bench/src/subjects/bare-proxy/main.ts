import { answerCommands } from '../../harness/commanded-process.ts';
import { startBareProxy } from './bare-proxy.ts';

/** The bare proxy as a process of its own: told where the upstream is, it says where it listens. */
answerCommands((upstreamUrl: string) => startBareProxy(upstreamUrl));
