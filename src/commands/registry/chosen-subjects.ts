import type { Context } from '../../context.ts';
import { notFoundError } from '../../errors.ts';
import { compileNamePatterns } from '../../kafka/protocol/partitions/name-words.ts';
import { wholeNameHint } from '../not-found.ts';
import { partialMatch } from '../partial-match.ts';
import { type ContextValues, prefixOf, requireContexts, subjectIn } from '../schema-context.ts';

/** The subjects that a command line selects. */
export interface SubjectChoice extends ContextValues {
  readonly subjects: readonly string[];
  /** Whether `subjects` are regular expressions that match whole names. */
  readonly regex: boolean;
  /** Whether deleted subjects match too. */
  readonly deleted: boolean;
}

/**
 * Returns the names of the selected subjects, sorted.
 * @param verb what fails if no subject matches, for example `delete subjects`
 */
export async function chosenSubjects(
  context: Context,
  choice: SubjectChoice,
  verb: string,
): Promise<readonly string[]> {
  const subjects = await matchingSubjects(context, choice);
  if (subjects.length > 0) return subjects;
  const hint = (await partialHint(context, choice)) ?? wholeNameHint;
  throw notFoundError(`unable to ${verb}: no subject matches ${choice.subjects.join(' ')}`, {
    hints: [hint],
  });
}

/** Says that patterns match no subject, and how to match some. */
export async function noticeNoSubject(context: Context, choice: SubjectChoice): Promise<void> {
  const hint = await partialHint(context, choice);
  context.notice([`no subject matches ${choice.subjects.join(' ')}`, ...(hint === undefined ? [] : [hint])].join('; '));
}

async function partialHint(context: Context, choice: SubjectChoice): Promise<string | undefined> {
  return partialMatch(choice.subjects, await namesIn(context, choice));
}

/** The named subjects, or those that match, sorted; all of them if none is named. */
export async function matchingSubjects(context: Context, choice: SubjectChoice): Promise<readonly string[]> {
  const { subjects, regex } = choice;
  await requireContexts(context, choice);
  if (!regex && subjects.length > 0) return [...new Set(subjects.map((name) => subjectIn(choice, name)))].sort();
  const matches = compileNamePatterns(subjects.length === 0 ? ['*'] : subjects);
  const prefix = prefixOf(choice.schemaContext);
  return (await namesIn(context, choice)).filter(matches).map((name) => prefix + name);
}

/** The subjects of the chosen context, without it in their names; all subjects if none is chosen. */
async function namesIn(context: Context, { schemaContext, deleted }: SubjectChoice): Promise<readonly string[]> {
  const names = await (await context.registry()).subjects(deleted);
  if (schemaContext === '.') return names.filter((name) => !name.startsWith(':.'));
  const prefix = prefixOf(schemaContext);
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}
