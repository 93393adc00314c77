import {
  type Architecture,
  auditArchitectures,
  checkedCalls,
  deniedCalls,
} from './system-calls.ts';

/** One instruction of a classic BPF program, as `struct sock_filter` has it. */
export interface Instruction {
  readonly code: number;
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

/** Opcodes of the instructions that the filter is made of. */
export const opcodes = {
  loadWord: 0x20,
  and: 0x54,
  jumpIfEqual: 0x15,
  jumpIfAtLeast: 0x35,
  return: 0x06,
} as const;

/** The answers of the kernel to a system call; the errno stands in the low half of `error`. */
export const actions = { allow: 0x7fff0000, kill: 0x80000000, error: 0x00050000 } as const;

const errnos = { notPermitted: 1, noSuchCall: 38, noSuchFamily: 97 } as const;

/** Offsets into `struct seccomp_data`; arguments are little-endian, and their low half decides. */
const offsets = {
  number: 0,
  architecture: 4,
  argument: (index: number) => 16 + 8 * index,
} as const;

/** CLONE_NEW* of time, mount, cgroup, uts, ipc, user, pid and net namespaces. */
const namespaceFlags =
  0x80 | 0x20000 | 0x2000000 | 0x4000000 | 0x8000000 | 0x10000000 | 0x20000000 | 0x40000000;

/** TIOCSTI, TIOCLINUX and TIOCSETD: keys that are typed into the terminal of others, and its line discipline. */
const deniedTerminalRequests = [0x5412, 0x541c, 0x5423];

/** AF_UNIX, AF_INET and AF_INET6. AF_NETLINK is limited to routes, which list the addresses of the sandbox. */
const socketFamilies = { allowed: [1, 2, 10], netlink: 16, netlinkRoute: 0 } as const;

/** PER_LINUX, and the question for the current one. */
const personalities = [0, 0xffffffff];

/** From here on the numbers belong to the x32 interface, which a table of x64 numbers does not cover. */
const x32Bit = 0x40000000;

const load = (offset: number): Instruction => ({ code: opcodes.loadWord, jt: 0, jf: 0, k: offset });
const ends = (k: number): Instruction => ({ code: opcodes.return, jt: 0, jf: 0, k });
const refuses = (errno: number) => ends(actions.error | errno);
/** Skips `count` instructions unless the loaded word equals `k`. */
const unlessEqual = (k: number, count: number): Instruction => ({
  code: opcodes.jumpIfEqual,
  jt: 0,
  jf: count,
  k: k >>> 0,
});
const refusesEqual = (k: number, errno: number) => [unlessEqual(k, 1), refuses(errno)];

/** The rules of each call whose arguments decide; the word that is loaded is lost, so each of them ends. */
const argumentRules: Readonly<Record<keyof typeof checkedCalls, readonly Instruction[]>> = {
  clone: [
    load(offsets.argument(0)),
    { code: opcodes.and, jt: 0, jf: 0, k: namespaceFlags >>> 0 },
    unlessEqual(0, 1),
    ends(actions.allow),
    refuses(errnos.notPermitted),
  ],
  // A filter cannot read the memory in which the flags of clone3 lie. The C library goes on with clone.
  clone3: [refuses(errnos.noSuchCall)],
  ioctl: [
    load(offsets.argument(1)),
    ...deniedTerminalRequests.flatMap((request) => refusesEqual(request, errnos.notPermitted)),
    ends(actions.allow),
  ],
  socket: [
    load(offsets.argument(0)),
    ...socketFamilies.allowed.flatMap((family) => [unlessEqual(family, 1), ends(actions.allow)]),
    unlessEqual(socketFamilies.netlink, 3),
    load(offsets.argument(2)),
    unlessEqual(socketFamilies.netlinkRoute, 1),
    ends(actions.allow),
    refuses(errnos.noSuchFamily),
  ],
  personality: [
    load(offsets.argument(0)),
    ...personalities.flatMap((one) => [unlessEqual(one, 1), ends(actions.allow)]),
    refuses(errnos.notPermitted),
  ],
};

/**
 * Builds the seccomp filter of a sandbox. A call of another architecture ends the process; a denied call fails with
 * EPERM; everything else is allowed.
 */
export function seccompFilter(architecture: Architecture): readonly Instruction[] {
  const checks = Object.entries(checkedCalls).flatMap(([name, numbers]) => {
    const rules = argumentRules[name as keyof typeof checkedCalls];
    return [unlessEqual(numbers[architecture] as number, rules.length), ...rules];
  });
  const denied = Object.values(deniedCalls).flatMap((numbers) => {
    const one = numbers[architecture];
    return one === undefined ? [] : refusesEqual(one, errnos.notPermitted);
  });
  const isOther = { code: opcodes.jumpIfAtLeast, jt: 0, jf: 1, k: x32Bit };
  return [
    load(offsets.architecture),
    { code: opcodes.jumpIfEqual, jt: 1, jf: 0, k: auditArchitectures[architecture] },
    ends(actions.kill),
    load(offsets.number),
    ...(architecture === 'x64' ? [isOther, refuses(errnos.noSuchCall)] : []),
    ...denied,
    ...checks,
    ends(actions.allow),
  ];
}

const instructionBytes = 8;

/** Encodes a filter as the kernel reads it on a little-endian machine. */
export function encodeFilter(filter: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(filter.length * instructionBytes);
  for (const [index, { code, jt, jf, k }] of filter.entries()) {
    const at = index * instructionBytes;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(jt, at + 2);
    bytes.writeUInt8(jf, at + 3);
    bytes.writeUInt32LE(k >>> 0, at + 4);
  }
  return bytes;
}
