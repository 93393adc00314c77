import { Fault, invalidRequest, type Issue, rejectionToFault } from '@sluice/errors';
import {
  type ContainerRef as SentRef,
  SandboxServiceService,
} from '@sluice/protos/sluice/sandbox/v1/sandbox';
import { implement, type RpcService } from '@sluice/rpc';
import { isDomainPattern } from '../egress/allowed-domains.ts';
import type { NetworkPolicy, Ran } from '../engine/engine.ts';
import type { ContainerRef } from '../containers/container.ts';
import type { Containers } from '../containers/containers.ts';
import { homeFiles, partBytesMax } from '../containers/home-files.ts';

export interface SandboxRpcOptions {
  /** Returns undefined while no engine works. */
  readonly containers: () => Containers | undefined;
  /** Returns the engine with its measures, or the reason why there is none. */
  readonly described: () => { readonly engine: string; readonly description: string };
  readonly commandTimeoutMs: number;
  /** Returns the signal of the call that is being answered. */
  readonly callSignal: () => AbortSignal | undefined;
}

const commandBytesMax = 131_072 - 1;
const timeoutMsMax = 600_000;
const outputBytesDefault = 65_536;
const outputBytesMax = 1_048_576;
const sleepSecondsMax = 2_592_000;
const domainsMax = 50;

export function sandboxRpc(options: SandboxRpcOptions): RpcService {
  const warm = () => {
    const containers = options.containers();
    if (containers) return containers;
    throw new Fault('unavailable', { message: 'sandbox unavailable' });
  };
  const filesOf = (ref: ContainerRef) => homeFiles((command) => warm().run(ref, command));
  return implement(SandboxServiceService, {
    describeEngine: async () => options.described(),
    async openContainer({ container, allowedDomains, sleepAfterSeconds }) {
      const containers = warm();
      const ref = refOf(container, [
        ...domainIssues(allowedDomains),
        ...within('sleep_after_seconds', sleepAfterSeconds, sleepSecondsMax),
      ]);
      const network = policyOf(allowedDomains);
      return containers.open(ref, { network, sleepAfterSeconds: sleepAfterSeconds || undefined });
    },
    async checkContainer({ container, allowedDomains }) {
      const ref = refOf(container, domainIssues(allowedDomains));
      return { isWarm: warm().check(ref, policyOf(allowedDomains)) };
    },
    async runCommand(request) {
      const { command, container } = request;
      const bytes = Buffer.byteLength(command);
      const ref = refOf(container, [
        ...within('command', bytes, commandBytesMax),
        ...(command.includes('\0') ? [{ path: 'command', message: 'must have no zero byte' }] : []),
        ...within('timeout_ms', request.timeoutMs, timeoutMsMax),
        ...within('output_bytes_max', request.outputBytesMax, outputBytesMax),
      ]);
      const ran = await warm().run(ref, {
        argv: ['/bin/bash', '-c', command],
        timeoutMs: request.timeoutMs || options.commandTimeoutMs,
        outputBytesMax: request.outputBytesMax || outputBytesDefault,
        signal: options.callSignal(),
      });
      return ranMessage(ran);
    },
    async listFiles({ container }) {
      const files = await filesOf(refOf(container, [])).list();
      return {
        files: files.map(({ path, bytes, changedAtMs }) => ({
          path,
          bytes: BigInt(bytes),
          changedAtMs: BigInt(changedAtMs),
        })),
      };
    },
    async readFile({ container, path, offset, length }) {
      const ref = refOf(container, [
        ...pathIssues('path', path),
        ...within('offset', Number(offset), Number.MAX_SAFE_INTEGER),
        ...within('length', length, partBytesMax),
      ]);
      const { content, size, changedAtMs } = await filesOf(ref).read(path, Number(offset), length);
      return { content, size: BigInt(size), changedAtMs: BigInt(changedAtMs) };
    },
    async writeFile({ container, name, offset, content }) {
      const ref = refOf(container, [
        ...pathIssues('name', name),
        ...(name.includes('/') ? [{ path: 'name', message: 'must have no slash' }] : []),
        ...within('content', content.length, partBytesMax),
      ]);
      await filesOf(ref).write(name, Number(offset), content);
      return {};
    },
  });
}

function policyOf(allowedDomains: readonly string[]): NetworkPolicy {
  return allowedDomains.length === 0 ? { type: 'disabled' } : { type: 'allowlist', allowedDomains };
}

function ranMessage(ran: Ran) {
  const { outcome } = ran;
  const outcomes = {
    exited: 'OUTCOME_EXITED',
    timed_out: 'OUTCOME_TIMED_OUT',
    killed: 'OUTCOME_KILLED',
  } as const;
  return {
    stdout: ran.stdout,
    stderr: ran.stderr,
    isCut: ran.isCut,
    outcome: outcomes[outcome.type],
    exitCode: outcome.type === 'exited' ? outcome.exitCode : 0,
    reason: outcome.type === 'killed' ? outcome.reason : '',
    durationMs: BigInt(Math.ceil(ran.durationMs)),
  };
}

const idPattern = /^[A-Za-z0-9_-]{1,128}$/;
const containerPattern = /^[A-Za-z0-9_-]{1,40}$/;

/** Returns the container of a request. Throws invalid_request with its issues and the given ones. */
function refOf(sent: SentRef | undefined, others: readonly Issue[]): ContainerRef {
  const { accountId = '', workspaceId = '', containerId = '' } = sent ?? {};
  const issues = [
    ...(idPattern.test(accountId)
      ? []
      : [{ path: 'container.account_id', message: 'must be an id' }]),
    ...(idPattern.test(workspaceId)
      ? []
      : [{ path: 'container.workspace_id', message: 'must be an id' }]),
    ...(containerPattern.test(containerId)
      ? []
      : [{ path: 'container.container_id', message: 'must be 1 to 40 of A-Z, a-z, 0-9, _ and -' }]),
    ...others,
  ];
  if (issues.length > 0) throw rejectionToFault(invalidRequest(issues));
  return { accountId, workspaceId, containerId };
}

function within(path: string, value: number, max: number): readonly Issue[] {
  return value >= 0 && value <= max ? [] : [{ path, message: `must be 0 to ${max}` }];
}

function domainIssues(domains: readonly string[]): readonly Issue[] {
  const issues = domains.flatMap((domain, index) =>
    isDomainPattern(domain)
      ? []
      : [{ path: `allowed_domains.${index}`, message: 'must be a host name or a glob' }],
  );
  return [...within('allowed_domains', domains.length, domainsMax), ...issues];
}

function pathIssues(name: string, path: string): readonly Issue[] {
  const isGood =
    path !== '' &&
    path.length <= 1_024 &&
    !path.includes('\0') &&
    !path.split('/').some((part) => part === '' || part === '.' || part === '..');
  return isGood ? [] : [{ path: name, message: 'must be a path inside of the home' }];
}
