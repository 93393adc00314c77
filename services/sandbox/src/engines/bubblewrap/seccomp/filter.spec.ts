import { equal, ok } from 'node:assert/strict';
import { describe, test } from 'vitest';
import { actions, encodeFilter, type Instruction, opcodes, seccompFilter } from './filter.ts';
import {
  type Architecture,
  auditArchitectures,
  checkedCalls,
  deniedCalls,
} from './system-calls.ts';

interface Call {
  readonly architecture: number;
  readonly number: number;
  readonly arguments?: readonly number[];
}

/** Runs a filter as the kernel does. */
function judge(filter: readonly Instruction[], call: Call): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call.number, 0);
  data.writeUInt32LE(call.architecture >>> 0, 4);
  for (const [index, value] of (call.arguments ?? []).entries())
    data.writeUInt32LE(value >>> 0, 16 + 8 * index);
  let word = 0;
  for (let at = 0; ; at++) {
    const instruction = filter[at];
    ok(instruction, 'the filter ends with a return');
    const { code, jt, jf, k } = instruction;
    if (code === opcodes.return) return k >>> 0;
    if (code === opcodes.loadWord) word = data.readUInt32LE(k);
    else if (code === opcodes.and) word = (word & k) >>> 0;
    else if (code === opcodes.jumpIfEqual) at += word === k >>> 0 ? jt : jf;
    else if (code === opcodes.jumpIfAtLeast) at += word >= k >>> 0 ? jt : jf;
    else throw new Error(`an instruction that the kernel is not given here: ${code}`);
  }
}

const notPermitted = actions.error | 1;

describe.each(['x64', 'arm64'] as const)('the filter of %s', (name: Architecture) => {
  const filter = seccompFilter(name);
  const architecture = auditArchitectures[name];
  const of = (call: keyof typeof checkedCalls, ...args: number[]) =>
    judge(filter, { architecture, number: checkedCalls[call][name] as number, arguments: args });

  test('refuses each denied call', () => {
    for (const [call, numbers] of Object.entries(deniedCalls)) {
      const number = numbers[name];
      if (number !== undefined) equal(judge(filter, { architecture, number }), notPermitted, call);
    }
  });

  test('allows each call that no table names', () => {
    const named = new Set(
      [...Object.values(deniedCalls), ...Object.values(checkedCalls)].map((one) => one[name]),
    );
    for (let number = 0; number < 470; number++)
      if (!named.has(number)) equal(judge(filter, { architecture, number }), actions.allow);
  });

  test('kills a process that calls by another architecture', () => {
    for (const other of [0x40000003, auditArchitectures[name === 'x64' ? 'arm64' : 'x64']])
      equal(judge(filter, { architecture: other, number: 0 }), actions.kill);
  });

  test('allows threads and processes, and no namespaces', () => {
    equal(of('clone', 0x11), actions.allow);
    equal(of('clone', 0x3d0f00), actions.allow);
    for (const flag of [0x20000, 0x80, 0x2000000, 0x10000000, 0x20000000, 0x40000000])
      equal(of('clone', flag | 0x11), notPermitted);
    equal(of('clone3'), actions.error | 38);
  });

  test('allows sockets of the internet and of Unix, and the list of addresses', () => {
    for (const family of [1, 2, 10]) equal(of('socket', family, 1, 0), actions.allow);
    equal(of('socket', 16, 3, 0), actions.allow);
    // NETLINK_NETFILTER, AF_PACKET, AF_ALG and AF_VSOCK.
    for (const args of [[16, 3, 12], [17], [38], [40]])
      equal(of('socket', ...args), actions.error | 97);
  });

  test('allows the terminal, and no typing into it', () => {
    equal(of('ioctl', 0, 0x5401), actions.allow);
    for (const request of [0x5412, 0x541c, 0x5423]) equal(of('ioctl', 0, request), notPermitted);
  });

  test('allows the usual personality only', () => {
    equal(of('personality', 0), actions.allow);
    equal(of('personality', 0xffffffff), actions.allow);
    equal(of('personality', 0x0400000), notPermitted);
  });

  test('has jumps that fit, and is encoded in eight bytes an instruction', () => {
    for (const { jt, jf } of filter) ok(jt < 256 && jf < 256);
    equal(encodeFilter(filter).length, filter.length * 8);
  });
});

test('the filter of x64 refuses the x32 interface', () => {
  const call = { architecture: auditArchitectures.x64, number: 0x40000000 + 101 };
  equal(judge(seccompFilter('x64'), call), actions.error | 38);
});

test('an encoded filter begins with the load of the architecture', () => {
  equal(encodeFilter(seccompFilter('x64')).subarray(0, 8).toString('hex'), '2000000004000000');
});
