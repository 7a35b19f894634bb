import { many, toggle, type ValuesOf } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { notNeededIf } from '../../cli/forms/outcome.ts';
import type { Context } from '../../context.ts';
import { type ExitCode, stopCodes, usageError } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { shortList } from '../../format/name-lists.ts';
import type { Kind } from '../../kinds.ts';
import { CopiedSubject } from '../../registry/copy/copy-rows.ts';
import type { CopyPlan } from '../../registry/copy/plan.ts';
import { prefixOf, requireContexts } from '../schema-context.ts';
import { chosenSubjects } from './chosen-subjects.ts';

/** Subjects of a profile; without one, of the profile of the command. */
interface SubjectPlace {
  readonly profile: string | undefined;
  /** A subject or a pattern; '' for all subjects; a context at the destination. */
  readonly subject: string;
}

/** `[PROFILE:]SUBJECT`, or `PROFILE:` alone. A name that begins with a colon has a context, and no profile. */
const subjectPlace: Kind<SubjectPlace> = {
  name: 'place of subjects',
  hint: '[PROFILE:]SUBJECT',
  parse(value) {
    const colon = value.replaceAll('(?:', '(? ').indexOf(':');
    if (colon <= 0) return { profile: undefined, subject: value };
    return { profile: value.slice(0, colon), subject: value.slice(colon + 1) };
  },
  show: ({ profile, subject }) => (profile === undefined ? subject : `${profile}:${subject}`),
};

const args = {
  places: many(
    subjectPlace,
    'PLACE',
    'subjects to copy, or PROFILE: for all of them, and at the end the destination: PROFILE:, or PROFILE:CONTEXT to change the context',
  ),
};

const flags = {
  regex: toggle({ short: 'r', help: 'treat subjects as regular expressions that match whole names' }),
  deleted: toggle({ help: 'copy deleted versions, too; they are deleted in the destination' }),
  newIds: toggle({
    help: 'let the destination assign ids and versions, which registries without the mode IMPORT need',
  }),
};

/** A subject of a plan, with what it takes to carry the plan out. */
interface PlannedCopy extends CopiedSubject {
  readonly status: 'NOT_NEEDED' | undefined;
  readonly copying: Copying;
}

interface Copying {
  readonly plan: CopyPlan;
  readonly from: Context;
  readonly to: Context;
}

/** `registry copy` */
export const copy = change({
  summary: 'Copy subjects to another registry, with their ids',
  description: `Copies all versions of subjects, and of what they refer to, with their ids, versions, references, metadata and
compatibility levels, so that records of copied topics stay readable. Running the same command again continues where the copy
stopped, and copies what is new.

PROFILE: before a subject names the profile of its registry; other subjects are in the registry of the command. PROFILE: alone
stands for all subjects, and at the end for the destination. A context after it, such as staging::.prod:, is where the subjects
go: there, their ids cannot be in the way of others.

What the destination has under the same version or id must be the same schema; otherwise nothing is written (exit code 6). The mode
of a subject is IMPORT while its versions are registered, and then what it was before. Deleted versions are left out without
--deleted. The global level and modes are not copied.

Registries without the mode IMPORT, such as Apicurio, assign ids themselves: --new-ids registers the versions there in their order,
if they are compatible by its rules. Copy the topics with weir topic copy --map-schemas then, which replaces the ids in records.`,
  examples: [
    ['Everything', 'registry copy prod: staging:'],
    ['Two subjects, with what they refer to', 'registry copy prod:orders-value prod:orders-key staging:'],
    ['All subjects that begin with pay', "registry copy -r 'prod:pay.*' staging:"],
    ['To a context of the destination', 'registry copy prod: staging::.prod:'],
    ['To a registry that assigns ids itself', 'registry copy prod: apicurio: --new-ids'],
    ['Preview what would be copied', 'registry copy prod: staging: --dry-run'],
  ],
  apis: ['registry'],
  args,
  flags,
  changes: 'creates',
  guarded: 'because it sets the mode IMPORT in the destination',
  noun: 'subject',
  item: CopiedSubject,
  async plan(context, values): Promise<readonly PlannedCopy[]> {
    const { from, to, target, subjects } = sidesOf(context, values);
    const choice = { ...values, subjects, schemaContext: undefined };
    const names = await chosenSubjects(from, choice, 'copy subjects');
    if (target !== undefined) await requireContexts(to, { schemaContext: target.slice(1, -1) || '.' });
    const registry = await from.registry();
    const { api } = await to.registry();
    const plan = await registry.planCopy({ ...values, subjects: names, to: api, context: target });
    if (plan.importing.length > 0)
      context.noticeAfter(
        `left in the mode IMPORT, as before (if another copy was killed, end it with weir registry mode reset): ${shortList(plan.importing)}`,
      );
    return plan.subjects.map((one) => ({
      ...one,
      status: notNeededIf(one.versions.length === 0 && one.level === null),
      copying: { plan, from, to },
    }));
  },
  asks(subjects) {
    const versions = subjects.reduce((sum, one) => sum + one.versions.length, 0);
    const at = subjects[0]?.copying.to;
    return {
      question: `Copy ${count(versions, 'version')} of ${count(subjects.length, 'subject')}`,
      ...(at && { at }),
    };
  },
  async apply(context, subjects) {
    const [first] = subjects;
    if (first === undefined) return [];
    const { plan, from } = first.copying;
    const progress = context.progress('copy');
    let stopCode: ExitCode | undefined;
    const forget = context.onStop((cause) => {
      stopCode ??= stopCodes[cause];
      return 'finishing the version that is on its way';
    });
    try {
      progress.report({ done: 0, total: plan.due.length });
      const errors = await (await from.registry()).runCopy(plan, {
        stopCode: () => stopCode,
        report: (done) => progress.report({ done }),
      });
      return subjects.map(({ subject }) => ({ error: errors.get(subject) ?? null }));
    } finally {
      forget();
      progress.end();
    }
  },
  columns: [
    'subject',
    ['destination', ({ destination }) => destination, (rows) => rows.some((one) => one.destination !== one.subject)],
    ['versions', ({ versions }) => versions.map(({ version }) => version).join(', ') || '-'],
    ['ids', ({ versions }) => versions.map(({ id }) => id ?? 'new').join(', ') || '-'],
    ['level', ({ level }) => level, (rows) => rows.some(({ level }) => level !== null)],
  ],
  would: 'be copied',
  notNeeded: 'already there',
});

interface Sides {
  readonly from: Context;
  readonly to: Context;
  /** The context in the destination; undefined if subjects keep their names. */
  readonly target: string | undefined;
  /** The subjects of the source, or patterns; none for all. */
  readonly subjects: readonly string[];
}

/** Which subjects are copied to which registry. */
function sidesOf(context: Context, { places }: ValuesOf<typeof args>): Sides {
  const destination = places.at(-1);
  const sources = places.slice(0, -1);
  if (destination === undefined || !/^(?::?\.[^:]*:?)?$/.test(destination.subject))
    throw usageError('the last argument is the destination: PROFILE:, or PROFILE:CONTEXT to change the context', {
      hints: ['for example: weir registry copy prod:orders-value staging:'],
    });
  const [profile, ...others] = new Set(sources.map((one) => one.profile));
  if (others.length > 0)
    throw usageError('the subjects are in the registries of several profiles: copy those of one at a time');
  const target = destination.subject === '' ? undefined : prefixOf(destination.subject.replaceAll(':', ''));
  if (destination.profile === profile && target === undefined)
    throw usageError('the source and the destination are the same registry: name a profile, as in PROFILE:');
  const from = profile === undefined ? context : context.ofProfile(profile);
  const to =
    destination.profile === undefined
      ? context
      : destination.profile === profile
        ? from
        : context.ofProfile(destination.profile);
  const subjects = sources.some(({ subject }) => subject === '') ? [] : sources.map(({ subject }) => subject);
  return { from, to, target, subjects };
}
