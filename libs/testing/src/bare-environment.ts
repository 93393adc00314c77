/**
 * The environment of a program that a test starts: no setting of the developer. Programs share what they have
 * compiled, which is most of the time of a short one.
 */
export const bareEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);
