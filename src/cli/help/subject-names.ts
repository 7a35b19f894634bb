/** The summaries of what `weir help SUBJECT` explains, by subject. */
export const subjectSummaries = {
  flags: 'flags that every command has',
  formats: 'record formats for -f of consume and produce',
  offsets: 'values of --offset',
  environment: 'environment variables that weir reads',
  'exit-codes': 'meanings of the exit codes',
  permissions: 'what the user of a command must be allowed to do',
} as const;

/** A subject of `weir help`. */
export type Subject = keyof typeof subjectSummaries;

/** Whether the word names a subject. */
export function isSubject(word: string): word is Subject {
  return Object.hasOwn(subjectSummaries, word);
}
