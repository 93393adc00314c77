/** Values by key, the most recently used ones. */
export interface Recent<Value> {
  find(key: string): Value | undefined;
  /** When full, the value that was used longest ago goes. */
  keep(key: string, value: Value): void;
  forget(key: string): void;
}

export function createRecent<Value>(valuesMax: number): Recent<Value> {
  const values = new Map<string, Value>();
  return {
    find(key) {
      const value = values.get(key);
      if (value === undefined) return undefined;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    keep(key, value) {
      values.delete(key);
      const oldest = values.size >= valuesMax ? values.keys().next().value : undefined;
      if (oldest !== undefined) values.delete(oldest);
      values.set(key, value);
    },
    forget: (key) => void values.delete(key),
  };
}
