import { type AllValues, many, toggle, type ValuesOf } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { notNeededIf } from '../../cli/forms/outcome.ts';
import { watchEnd } from '../../command-end.ts';
import type { Context, OpenContext } from '../../context.ts';
import { type ItemError, stoppedError, usageError } from '../../errors.ts';
import { count } from '../../format/count.ts';
import { shortList } from '../../format/name-lists.ts';
import { commandText } from '../../format/shell-word.ts';
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
    const colon = value.indexOf(':');
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
  readonly sides: Sides;
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
of a subject is IMPORT while it is copied, and then what it was before. Deleted versions are left out without --deleted. The global
level and modes are not copied. There is no limit in time unless you set -X globals.command_timeout.

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
    const sides = sidesOf(context, values);
    for (const [name, { config }] of sides.others) requireRegistry(name, await config());
    // Only a command timeout that somebody has set ends it: a registry can have thousands of subjects.
    const plan = await openEnded(sides, () => planOf(context, values, sides));
    warnImporting(context, plan);
    if (plan.unserved.length > 0)
      context.warn(
        `the deleted versions of ${shortList(plan.unserved)} are not copied: the source lists them, but does not serve their schemas`,
      );
    return plan.subjects.map((one) => ({
      ...one,
      status: notNeededIf(one.versions.length === 0 && one.level === null),
      copying: { plan, sides },
    }));
  },
  asks(subjects) {
    const versions = subjects.reduce((sum, one) => sum + one.versions.length, 0);
    const at = subjects[0]?.copying.sides.to;
    return {
      question: `Copy ${count(versions, 'version')} of ${count(subjects.length, 'subject')}`,
      ...(at && { at }),
    };
  },
  async apply(context, subjects) {
    const [first] = subjects;
    if (first === undefined) return [];
    const { copying } = first;
    const errors = await openEnded(copying.sides, () => carryOut(context, copying));
    if ([...errors.values()].some(({ code }) => code === 'INCOMPATIBLE_SCHEMA')) {
      const { profile } = copying.sides;
      const at = profile === undefined ? '' : commandText` --profile ${profile}`;
      context.hintAfter(
        `let the destination take them: weir registry compatibility-level set --level NONE${at}; copy again, and set its level again`,
      );
    }
    const { assigned } = copying.plan;
    return subjects.map(({ subject, versions }) => ({
      versions: versions.map((one) => ({ ...one, id: one.id ?? assigned.get(subject)?.get(one.version) ?? null })),
      error: errors.get(subject) ?? null,
    }));
  },
  columns: [
    'subject',
    ['destination', ({ destination }) => destination, (rows) => rows.some((one) => one.destination !== one.subject)],
    ['versions', ({ versions }) => versions.map(({ version }) => version).join(', ') || '-'],
    ['ids', ({ versions }) => versions.map(idText).join(', ') || '-'],
    ['level', ({ level }) => level, (rows) => rows.some(({ level }) => level !== null)],
  ],
  would: 'be copied',
  notNeeded: 'already there',
});

function idText({ source_id: from, id }: CopiedSubject['versions'][number]): string {
  return from === id ? String(from) : `${from} → ${id ?? 'new'}`;
}

interface Sides {
  readonly from: Context;
  readonly to: Context;
  /** The contexts of profiles, by name; their own timeouts must not cut a copy off. */
  readonly others: ReadonlyMap<string, OpenContext>;
  /** The profile of the destination, if commands about it have to name one. */
  readonly profile: string | undefined;
  /** The context in the destination; undefined if subjects keep their names. */
  readonly target: string | undefined;
  /** The subjects of the source, or patterns; none for all. */
  readonly subjects: readonly string[];
}

function openEnded<T>({ from, to }: Sides, work: () => Promise<T>): Promise<T> {
  return from.openEnded(() => to.openEnded(work));
}

async function planOf(context: Context, values: AllValues<typeof args, typeof flags>, sides: Sides): Promise<CopyPlan> {
  const { from, to, target, profile, subjects } = sides;
  const choice = { ...values, subjects, schemaContext: undefined };
  const names = await chosenSubjects(from, choice, 'copy subjects');
  if (target !== undefined) await requireContexts(to, { schemaContext: target.slice(1, -1) || '.' });
  const registry = await from.registry();
  const { api } = await to.registry();
  const progress = context.progress(`compare ${count(names.length, 'subject')}`);
  try {
    return await registry.planCopy({ ...values, subjects: names, to: api, profile, context: target });
  } finally {
    progress.end();
  }
}

/** The most subjects in a command that a hint shows. */
const mostReset = 20;

/** In the mode IMPORT nobody else can register schemas: a copy that was killed may have left it. */
function warnImporting(context: Context, { importing, request: { profile } }: CopyPlan): void {
  if (importing.length === 0) return;
  const names = importing
    .slice(0, mostReset)
    .map((subject) => commandText` ${subject}`)
    .join('');
  const at = profile === undefined ? '' : commandText` --profile ${profile}`;
  context.warn(
    `the mode of ${shortList(importing)} is IMPORT in the destination and stays so: nobody can register other versions; if no copy is running, end it with: weir registry mode reset${names}${at}`,
  );
}

/** Carries a plan out. */
async function carryOut(context: Context, { plan, sides }: Copying): Promise<ReadonlyMap<string, ItemError>> {
  const progress = context.progress('copy');
  const end = watchEnd(context);
  // The timeout of the command stops it in order, so that no subject stays in the mode IMPORT.
  for (const other of sides.others.values()) other.onTimeout(() => true);
  try {
    progress.report({ done: 0, total: plan.due.length });
    const registry = await sides.from.registry();
    return await registry.runCopy(plan, {
      why: end.why,
      answer: end.answer,
      report: (done) => progress.report({ done }),
      importing(subject, command) {
        const report = () =>
          stoppedError(`stopped while the mode of "${subject}" is IMPORT`, [`end it with: ${command}`]);
        context.onInterrupt(command === undefined ? undefined : report);
      },
    });
  } finally {
    end.forget();
    progress.end();
  }
}

/** Refuses a profile that has no registry: the default is one of this machine, which nobody has named. */
function requireRegistry(profile: string, config: Awaited<ReturnType<Context['config']>>): void {
  const key = 'registry.hosts';
  if (config.setting(key).source !== 'default') return;
  throw usageError(`profile "${profile}" has no ${key}`, {
    code: 'CONFIG_INVALID',
    target: key,
    hints: [commandText`set it with: weir profile set --profile ${profile} registry.hosts=HOST:PORT`],
  });
}

/** Which subjects are copied to which registry. */
function sidesOf(context: Context, { places }: ValuesOf<typeof args>): Sides {
  const destination = places.at(-1);
  const sources = places.slice(0, -1);
  if (destination === undefined || !/^(?::?\.[^:]*:?)?$/.test(destination.subject))
    throw usageError('the last argument is the destination: PROFILE:, or PROFILE:CONTEXT to change the context', {
      hints: ['for example: weir registry copy prod:orders-value staging:'],
    });
  if (sources.length === 0)
    throw usageError('the source is missing: subjects, or PROFILE: for all of a profile', {
      hints: ['for example: weir registry copy prod: staging:'],
    });
  const [profile, ...more] = new Set(sources.map((one) => one.profile));
  if (more.length > 0)
    throw usageError('the subjects are in the registries of several profiles: copy those of one at a time');
  const target = destination.subject === '' ? undefined : prefixOf(destination.subject.replaceAll(':', ''));
  if (destination.profile === profile && target === undefined)
    throw usageError('the source and the destination are the same registry: name a profile, as in PROFILE:');
  const named = new Set([profile, destination.profile].filter((name) => name !== undefined));
  const others = new Map([...named].map((name) => [name, context.ofProfile(name)]));
  const contextOf = (name: string | undefined): Context =>
    name === undefined ? context : (others.get(name) ?? context);
  const subjects = sources.some(({ subject }) => subject === '') ? [] : sources.map(({ subject }) => subject);
  return {
    from: contextOf(profile),
    to: contextOf(destination.profile),
    others,
    profile: destination.profile ?? context.given.profile,
    target,
    subjects,
  };
}
