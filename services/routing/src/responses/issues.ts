import type { ErrorCode, Rejection } from '@sluice/errors';
import { issuesMax } from './limits.ts';

export interface Issue {
  /** Where in the body: `input[3].content[0].text`. Empty: the body itself. */
  readonly path: string;
  readonly message: string;
}

/** Gathers what is wrong with a request: its first problem names the code and the message. */
export class Issues {
  readonly #issues: Issue[] = [];
  #code: ErrorCode = 'invalid_request';

  add(path: string, message: string, code: ErrorCode = 'invalid_request'): undefined {
    if (this.#issues.length === 0) this.#code = code;
    if (this.#issues.length < issuesMax) this.#issues.push({ path, message });
  }

  /** Something that the contract knows and that is not built yet: refused by its name, never ignored. */
  addUnbuilt(path: string, name: string): undefined {
    this.add(path, `${name} is known, but not available yet`);
  }

  get count(): number {
    return this.#issues.length;
  }

  rejection(): Rejection | undefined {
    const [first] = this.#issues;
    if (!first) return undefined;
    const place = first.path === '' ? '' : `${first.path}: `;
    const isAbsent = this.#code === 'not_found';
    return {
      rejected: this.#code,
      message: isAbsent ? first.message : `Invalid request: ${place}${first.message}`,
      metadata: { issues: [...this.#issues] },
    };
  }
}
