import type { BoxLimits } from './limits.ts';
import { homeDirectory } from './engine.ts';

const kibibyte = 1_024;
const openFilesMax = 1_024;

/** Returns lines of a shell that set limits which the command cannot raise. */
export function limitLines(limits: BoxLimits): readonly string[] {
  return [
    'ulimit -c 0',
    `ulimit -n ${openFilesMax}`,
    `ulimit -u ${limits.processesMax}`,
    `ulimit -f ${Math.floor(limits.homeBytes / kibibyte)}`,
    `ulimit -d ${Math.floor(limits.memoryBytes / kibibyte)}`,
  ];
}

/** Returns the program that sets the limits and becomes the command. */
export function confined(
  limits: BoxLimits,
  argv: readonly string[],
  before: readonly string[] = [],
): readonly string[] {
  const script = [...before, ...limitLines(limits), 'exec "$@"'].join('; ');
  // If its input is a socket, bash would read the start file of the home first.
  return ['/bin/bash', '--norc', '-c', script, 'sandbox', ...argv];
}

/** Returns the environment of commands: nothing of our own. */
export function boxEnvironment(proxy?: string): Readonly<Record<string, string>> {
  const names = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: homeDirectory,
    USER: 'user',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    TMPDIR: '/tmp',
    ...(proxy === undefined ? {} : Object.fromEntries(names.map((name) => [name, proxy]))),
  };
}

/** Files of `/etc` that each box has, by their names and lines. */
export const etcFiles: Readonly<Record<string, readonly string[]>> = {
  passwd: ['user:x:1000:1000:user:/home/user:/bin/bash'],
  group: ['user:x:1000:'],
  hosts: ['127.0.0.1 localhost sandbox', '::1 localhost'],
  'nsswitch.conf': ['passwd: files', 'group: files', 'hosts: files'],
};

/** The port of the egress proxy. */
export const proxyPort = 3128;
