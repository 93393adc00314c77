/** Something that an agent is to do in a folder. */
export interface Task {
  readonly prompt: string;
  /** Writes the files that it begins with. */
  prepare(): Promise<void>;
  /** Returns why it is not done, in sentences. */
  undone(output: string): Promise<readonly string[]>;
}

/** Returns the task in a folder. */
export type TaskIn = (folder: string) => Task;
