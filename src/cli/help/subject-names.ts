/** What `weir help SUBJECT` explains, by subject. */
export const subjectSummaries = {
  flags: 'the flags of every command',
  formats: 'the record formats of -f, for consume and produce',
  offsets: 'the values of --offset',
  environment: 'the variables that weir reads',
  'exit-codes': 'what each exit code means',
} as const;

/** A subject of `weir help`. */
export type Subject = keyof typeof subjectSummaries;

/** Whether the word names a subject. */
export function isSubject(word: string): word is Subject {
  return Object.hasOwn(subjectSummaries, word);
}
