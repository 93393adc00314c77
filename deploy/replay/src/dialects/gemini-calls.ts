import { type Json, list, object, text } from '../json.ts';
import type { Call } from '../telling.ts';

/** Reads the calls of an answer. A call with `willContinue` goes on in the next function call. */
export function geminiCalls(pieces: readonly Json[]): readonly Call[] {
  const calls: { name: string; readonly args: Record<string, unknown> }[] = [];
  let open: (typeof calls)[number] | undefined;
  for (const piece of pieces) {
    const call = open ?? { name: '', args: {} };
    if (!open) calls.push(call);
    call.name ||= text(piece['name']);
    for (const [name, value] of Object.entries(object(piece['args'])))
      assign(call.args, name, value);
    for (const part of list(piece['partialArgs'])) put(call.args, part);
    open = piece['willContinue'] === true ? call : undefined;
  }
  return calls.map(({ name, args }) => ({ name, arguments: JSON.stringify(args) }));
}

/** Adds one piece, `{"jsonPath": "$.rooms[0].name", "stringValue": "a"}`. A text goes on where it ended. */
function put(args: object, part: Json): void {
  const path = pathOf(text(part['jsonPath']));
  const last = path.pop();
  if (last === undefined) return;
  let holder = args;
  for (const [place, key] of path.entries()) {
    const next = path[place + 1] ?? last;
    const known: unknown = memberOf(holder, key);
    const inner = typeof known === 'object' && known !== null ? known : innerFor(next);
    assign(holder, key, inner);
    holder = inner;
  }
  const before = memberOf(holder, last);
  const value = 'stringValue' in part ? text(part['stringValue']) : plainValue(part);
  const isMore = typeof before === 'string' && typeof value === 'string';
  assign(holder, last, isMore ? before + value : value);
}

function plainValue(part: Json): unknown {
  return part['numberValue'] ?? part['boolValue'] ?? null;
}

function innerFor(next: string | number): object {
  return typeof next === 'number' ? [] : {};
}

function memberOf(holder: object, key: string | number): unknown {
  return Object.getOwnPropertyDescriptor(holder, key)?.value;
}

/** Sets a member also if its name is `__proto__`. */
function assign(holder: object, key: string | number, value: unknown): void {
  const property = { value, writable: true, enumerable: true, configurable: true };
  Object.defineProperty(holder, key, property);
}

/** The names and positions of `$.rooms[0]['a name']`. */
function pathOf(path: string): (string | number)[] {
  const steps = path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\['([^']*)'\]|\["([^"]*)"\]/g);
  return [...steps].map(([, name, position, quoted, doubleQuoted]) =>
    position === undefined ? (name ?? quoted ?? doubleQuoted ?? '') : Number(position),
  );
}
