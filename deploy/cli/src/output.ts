import { createInterface } from 'node:readline/promises';

/** Prints the results and the progress of a command. */
export interface Output {
  /** The width limit of a table. If undefined, as in a pipe, a table has its natural width. */
  readonly columns: number | undefined;
  /** A line of the result. */
  line(text: string): void;
  /** Something that went wrong. */
  problem(text: string): void;
  /** Shows the progress. It replaces the last progress line where that is possible. */
  progress(text: string): void;
}

export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Replaces control characters: a value from outside must not steer the terminal. */
export function clean(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\u{FFFD}');
}

const eraseLine = '\r\u001B[2K';
/** The interval of progress lines if a line cannot be overwritten. */
const quietMs = 10_000;

/** Results go to `results`, everything else to `remarks`. */
export function createOutput(results: Terminal, remarks: Terminal): Output {
  let standing = false;
  let toldMs = -quietMs;
  const clear = () => {
    if (standing) remarks.write(eraseLine);
    standing = false;
  };
  return {
    columns: results.isTTY ? results.columns : undefined,
    line(text) {
      clear();
      results.write(`${text}\n`);
    },
    problem(text) {
      clear();
      remarks.write(`${text}\n`);
    },
    progress(text) {
      if (remarks.isTTY) {
        clear();
        remarks.write(text);
        standing = true;
        return;
      }
      const nowMs = performance.now();
      if (nowMs - toldMs < quietMs) return;
      toldMs = nowMs;
      remarks.write(`${text}\n`);
    },
  };
}

/** Asks whoever typed the command. Resolves to undefined without a terminal. */
export async function askHere(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}
