import type { ErrorCode, Rejection } from '@sluice/errors';
import { availability } from '../../selection/unavailable.ts';
import { issuesMax } from './limits.ts';

export interface Issue {
  /** The place in the body: `input[3].content[0].text`. Empty: the body itself. */
  readonly path: string;
  readonly message: string;
}

/** Gathers what is wrong with a request: its first problem names the code and the message. */
export class Issues {
  readonly #issues: Issue[] = [];
  readonly #unbuilt: Issue[] = [];
  #code: ErrorCode = 'invalid_request';

  add(path: string, message: string, code: ErrorCode = 'invalid_request'): undefined {
    if (this.#issues.length === 0) this.#code = code;
    if (this.#issues.length < issuesMax) this.#issues.push({ path, message });
  }

  /**
   * Something that the contract knows and that is not built yet: refused by its name, never ignored. It is told
   * behind what is wrong.
   */
  addUnbuilt(path: string, name: string): undefined {
    const message = `${name} is known, but not available yet`;
    if (this.#unbuilt.length < issuesMax) this.#unbuilt.push({ path, message });
  }

  get count(): number {
    return this.#issues.length + this.#unbuilt.length;
  }

  rejection(): Rejection | undefined {
    if (this.count === 0) return undefined;
    const issues = [...this.#issues, ...this.#unbuilt].slice(0, issuesMax);
    const [first] = issues;
    if (!first) return undefined;
    const place = first.path === '' ? '' : `${first.path}: `;
    const isAbsent = this.#code === 'not_found';
    return {
      rejected: this.#code,
      message: isAbsent ? first.message : `Invalid request: ${place}${first.message}`,
      metadata: {
        issues,
        ...(this.#code === 'model_not_found' && {
          availability: availability('model_not_found', []),
        }),
      },
    };
  }
}
