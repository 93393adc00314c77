/** One line of the doctor. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'wrong';
  /** The thing that was found, without secrets. */
  readonly detail: string;
  /** The next step of the operator; undefined when nothing is wrong. */
  readonly todo: string | undefined;
}

export function fine(check: string, detail: string): Finding {
  return { check, state: 'ok', detail, todo: undefined };
}

export function wrong(check: string, detail: string, todo: string): Finding {
  return { check, state: 'wrong', detail, todo };
}

const stateColumns = 5;
const checkColumns = 24;

/** `wrong  event store: rights   The user may not read $all. Do: add it to …` */
export function lineOf({ check, state, detail, todo }: Finding): string {
  const line = `${state.padEnd(stateColumns)}  ${check.padEnd(checkColumns)}  ${detail}.`;
  return (todo === undefined ? line : `${line} Do: ${todo}.`).replaceAll(/\s*[\r\n]+\s*/g, ' ');
}
