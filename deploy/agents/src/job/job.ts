/** The task of an agent: read a file, change it, run a command, answer. */
export interface Job {
  readonly folder: string;
  /** Stands in the file alone: an answer that has it has read the file. */
  readonly word: string;
}

export const file = 'notes.txt';
export const madeByCommand = 'counted.txt';
export const before = 'The morning is cold.';
export const after = 'The evening is cold.';
/** Counts 1 only when the file was changed first. */
export const command = `grep -c evening ${file} > ${madeByCommand} && cat ${madeByCommand}`;

/** Returns the file before the job. */
export function notes({ word }: Job): string {
  return `# Notes\n${before}\nThe word is ${word}.\n`;
}

export function promptOf({ folder }: Pick<Job, 'folder'>): string {
  return (
    `Work in the folder ${folder} only. Read ${file}, replace "${before}" by "${after}" in it, ` +
    `run \`${command}\`, and tell me the word.`
  );
}

const promptPattern = /Work in the folder (\S+) only\. Read notes\.txt/;
const wordPattern = /The word is (w[0-9a-f]{8})\./;

/** Returns the folder of the job that a text asks for. */
export function folderAsked(text: string): string | undefined {
  return promptPattern.exec(text)?.[1];
}

/** Returns the word that is in a text of the file. */
export function wordRead(text: string): string | undefined {
  return wordPattern.exec(text)?.[1];
}

/** Returns a summary of a conversation about the job. */
export function summaryOf({
  folder,
  word,
}: Pick<Job, 'folder'> & { word: string | undefined }): string {
  return `Notes of a morning. ${word === undefined ? '' : `The word is ${word}. `}${promptOf({ folder })}`;
}

export function answerOf(word: string): string {
  return `All is done. The word of the notes is ${word}.`;
}
