/** The answer; undefined when it has not come after the time-out. The question goes on. */
export async function answerWithin<Answer>(
  answer: Promise<Answer>,
  timeoutMs: number,
): Promise<{ readonly answer: Answer } | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), timeoutMs);
  // It still settles when nothing waits for it any more.
  const settled = answer.then((value) => ({ answer: value }));
  settled.catch(() => {});
  try {
    return await Promise.race([settled, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
