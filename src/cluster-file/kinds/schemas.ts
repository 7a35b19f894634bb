import type { Context } from '../../context.ts';
import { CliError, exitCodes, itemErrorOf, notChanged } from '../../errors.ts';
import { indentJson } from '../../format/json-indent.ts';
import { commandText } from '../../format/shell-word.ts';
import { contextOf, inContextOf } from '../../registry/context-words.ts';
import type { NewSchema, Reference, SubjectState } from '../../registry/rows.ts';
import type { Difference } from '../plan/plan-rows.ts';
import { type Change, factsOf, type Kind, kind, nameOf, type Round } from './kind.ts';
import { refused, unnamed } from './refusal.ts';
import { schemaDifferences } from './schema-differences.ts';
import {
  circles,
  inReferenceOrder,
  referenceEntry,
  referredTo,
  schemasShape,
  type WantedSubject,
  wantedSubjects,
  withSchemaTexts,
} from './schema-sections.ts';
import { inParts, type Sending } from './sending.ts';

type ExistingSubjects = ReadonlyMap<string, SubjectState>;

/** The most schemas in one step: Ctrl-C does not wait for more. */
const mostSchemas = 50;

/** Schemas and compatibility levels of subjects in the schema registry. */
export const schemas: Kind = kind<WantedSubject, ExistingSubjects>({
  noun: 'schema',
  sections: { schemas: schemasShape },
  ownedBy: ['subjects'],
  withFiles: withSchemaTexts,
  wanted: wantedSubjects,
  contradictions: circles,

  ruled: {
    fields: ['name', 'type', 'level', 'schema'],
    things: ({ name, way, absent, level, schema }) =>
      absent ? [] : [{ way, fields: factsOf({ name, type: schema?.type, level, schema: schema?.text }) }],
  },

  async read(context, { wanted, owns }) {
    const names = new Set(wanted.keys());
    if (owns !== undefined && (names.size > 0 || (await hasRegistry(context))))
      for (const name of await (await context.registry()).subjects(false)) if (owns(name)) names.add(name);
    if (names.size === 0) return new Map();
    const declared = [...names].sort().map((subject) => ({ subject, schema: wanted.get(subject)?.schema }));
    const states = await (await context.registry()).subjectStates(declared);
    return new Map(states.map(({ subject, ...state }) => [subject, state]));
  },

  compare({ wanted, owns }, existing, options) {
    const changing = new Set<string>();
    const named = inReferenceOrder(wanted).flatMap((subject): Change[] => {
      const state = existing.get(subject.name);
      const row = state === undefined ? undefined : compareSubject(subject, state, { changing, existing });
      if (row === undefined) return [];
      if (row.action !== 'blocked' && row.changes.some(({ path }) => path === 'version')) changing.add(subject.name);
      return [row];
    });
    const others = [...existing].filter(([name]) => !wanted.has(name) && owns?.(name) === true);
    return [
      ...named,
      ...others.flatMap(([name, state]): Change[] =>
        state.error === null ? [unnamed(options, (why) => deletion(name, state, why))] : [],
      ),
    ];
  },

  order: ({ action }) => (action === 'delete' ? 130 : 40),

  async apply(context, round, sending) {
    const registry = await context.registry();
    const { changes } = round;
    const kept = changes.filter(({ action }) => action !== 'delete');
    const levels = kept.flatMap(({ name, changes: differences }) => {
      const value = levelIn(differences);
      return value === null ? [] : [{ name, value }];
    });
    for (const [value, items] of Map.groupBy(levels, (one) => one.value))
      for (const part of inParts(items, mostSchemas))
        await sending.send(part, nameOf, async (due) =>
          (await registry.levels.set(due.map(nameOf), value, false)).map(({ error }) => error),
        );
    for (const layer of layersOf(registeredIn(round))) {
      failWithout(layer, sending);
      for (const one of layer) if (!sending.errors.has(one.subject)) await checkCompilation(context, one, sending);
      for (const part of inParts(layer, mostSchemas)) await sending.send(part, subjectOf, registry.registerDeclared);
    }
    // All at once, so that they can refer to one another.
    const deleted = changes.filter(({ action }) => action === 'delete').map(nameOf);
    await sending.send(deleted, String, async (names) =>
      (await registry.deleteSubjects(names, false)).map(({ error }) => error),
    );
  },

  export(existing, owns) {
    const entries = [...existing].filter(([name]) => owns(name));
    if (entries.length === 0) return {};
    return {
      schemas: Object.fromEntries(entries.map(([name, state]) => [name, exportedSubject(name, state, existing)])),
    };
  },

  async check(context, round, sending) {
    const registry = await context.registry();
    const registered = registeredIn(round);
    const pending = new Set(registered.map(subjectOf));
    const releveled = new Set(round.changes.flatMap(({ name, changes }) => (levelIn(changes) === null ? [] : [name])));
    for (const layer of layersOf(registered)) {
      failWithout(layer, sending);
      // What refers to a version that is not there yet can be checked when it is.
      const complete = layer.filter((one) => !referencesOf(one).some((subject) => pending.has(subject)));
      for (const one of complete) await checkCompilation(context, one, sending);
      const comparable = complete.filter(({ subject }) => !releveled.has(subject));
      await sending.send(comparable, subjectOf, registry.checkDeclared);
    }
  },
});

/** A schema that is registered. */
interface Registration {
  readonly subject: string;
  readonly schema: NewSchema;
}

function subjectOf({ subject }: Registration): string {
  return subject;
}

function referencesOf({ subject: name, schema }: Registration): readonly string[] {
  return referredTo({ name, schema });
}

/** The level that changes set; null for none. */
function levelIn(changes: readonly Difference[]): string | null {
  return changes.find(({ path }) => path === 'level')?.to ?? null;
}

/** The schemas that a round registers. */
function registeredIn({ changes, scope }: Round<WantedSubject, ExistingSubjects>): readonly Registration[] {
  return changes.flatMap(({ name: subject, action, changes: differences }) => {
    const schema = scope.wanted.get(subject)?.schema;
    const isNew = action !== 'delete' && differences.some(({ path }) => path === 'version');
    return schema === undefined || !isNew ? [] : [{ subject, schema }];
  });
}

/** Schemas in layers: each refers only to those of the layers before it, and to what is not registered with it. */
function layersOf(registrations: readonly Registration[]): readonly (readonly Registration[])[] {
  const layers: Registration[][] = [];
  let left = registrations;
  while (left.length > 0) {
    const names = new Set(left.map(subjectOf));
    const layer = left.filter((one) => !referencesOf(one).some((other) => other !== one.subject && names.has(other)));
    if (layer.length === 0) return [...layers, [...left]]; // circles are faults of the files
    layers.push(layer);
    left = left.filter((one) => !layer.includes(one));
  }
  return layers;
}

/** Leaves out what refers to a schema that could not be registered. */
function failWithout(layer: readonly Registration[], { errors, fail }: Sending): void {
  for (const one of layer) {
    const missing = referencesOf(one).find((subject) => errors.has(subject));
    if (missing === undefined) continue;
    const why = `not registered, because "${missing}", to which it refers, is not`;
    fail(one.subject, notChanged(why, exitCodes.conflict));
  }
}

/** What is known of the other subjects while one is compared. */
interface OtherSubjects {
  /** What gets a new version before it. */
  readonly changing: ReadonlySet<string>;
  readonly existing: ExistingSubjects;
}

/** Compares what the files want of a subject with what it has. */
function compareSubject(
  subject: WantedSubject,
  state: SubjectState,
  { changing, existing }: OtherSubjects,
): Change | undefined {
  const { name, because = null, level, absent, schema } = subject;
  const { error, latest } = state;
  const row = { kind: 'schema', name, risk: 'none' } as const;
  if (error !== null) return { ...row, action: 'blocked', changes: [], why: error.message, error, isUnread: true };
  if (absent) return latest === null ? undefined : deletion(name, state, because);
  const levels = level === undefined || level === state.level ? [] : [{ path: 'level', from: state.level, to: level }];
  const differences = schema === undefined ? [] : versionDifferences({ name, schema }, state, changing);
  const changes = [...levels, ...differences];
  if (changes.length === 0) return undefined;
  const followed = followedSubjects(subject);
  const needs = followed.map((one) => `schema ${one}`);
  if (latest === null) return { ...row, action: 'create', changes, why: null, needs };
  const ofLevel = levelRisk(levels);
  if (differences.length === 0) return { ...row, action: 'update', changes, ...ofLevel };
  const isPending = followed.some((one) => changing.has(one));
  if (state.same !== null && state.same < latest.version && !isPending)
    return refused({ ...row, action: 'blocked', changes, why: earlierVersion(name, state.same, existing) });
  const whys = [ofLevel.why, openText(isPending, levelIn(levels))].filter((why) => why !== null);
  const why = whys.length === 0 ? null : whys.join('; ');
  return { ...row, action: 'update', changes, risk: ofLevel.risk, why, needs };
}

/** What the change of a level puts at risk. */
function levelRisk(levels: readonly Difference[]): Pick<Change, 'risk' | 'why'> {
  const isLowered = levels.some(({ from, to }) => to !== null && isLower(to, from));
  return isLowered ? { risk: 'records', why: 'later versions may break readers' } : { risk: 'none', why: null };
}

/** What a plan cannot tell about a new version, which the registry compares by the level that it gets. */
function openText(isPending: boolean, level: string | null): string | null {
  if (level === 'NONE') return 'this version is not checked';
  return isPending || level !== null ? 'whether it is compatible is known after apply' : null;
}

/** Whether a level leaves out something that another one checks; nobody knows what a subject without a level has. */
function isLower(level: string, before: string | null): boolean {
  const checks = new Set(checksOf(level));
  return level === 'NONE' || (before !== null && checksOf(before).some((check) => !checks.has(check)));
}

/** What a level checks: a direction, with the latest version or with all. */
function checksOf(level: string): readonly string[] {
  const [direction = '', isTransitive] = level.split('_');
  const directions = direction === 'FULL' ? ['BACKWARD', 'FORWARD'] : direction === 'NONE' ? [] : [direction];
  return directions.flatMap((one) => (isTransitive === undefined ? [one] : [one, `${one}_TRANSITIVE`]));
}

/** The subjects to whose latest versions a schema refers. */
function followedSubjects({ name, schema }: WantedSubject): readonly string[] {
  const followed = schema?.references.filter(({ version }) => version === -1) ?? [];
  return followed.map(({ subject }) => inContextOf(contextOf(name), subject));
}

/**
 * A registry has each schema of a subject once, so that an earlier one cannot become the latest. It deletes no version to which
 * another subject refers.
 */
function earlierVersion(name: string, same: number, existing: ExistingSubjects): string {
  const latest = existing.get(name)?.latest?.version ?? same;
  const others = latest - same > 1 ? `the versions after it, such as ${latest}` : `version ${latest}`;
  const referring = [...existing].flatMap(([subject, state]) => {
    const refers = state.latest?.references.some(
      (one) => one.version > same && inContextOf(contextOf(subject), one.subject) === name,
    );
    return state.latest !== null && refers === true ? [{ subject, version: state.latest.version }] : [];
  });
  const named = referring.map(({ subject, version }) => `version ${version} of ${subject}`).join(' and ');
  const before = referring.length === 0 ? '' : `, after what refers to it (${named})`;
  const commands = [...referring, { subject: name, version: latest }].map(
    ({ subject, version }) => commandText`weir registry schema delete ${subject} --schema-version ${version}`,
  );
  return `version ${same} has this schema already, so it cannot be registered again; delete ${others}${before}: ${commands.join(', then ')}`;
}

/** What differs between the latest version and the schema of the files; nothing if they are the same schema. */
function versionDifferences(
  { name, schema }: Pick<WantedSubject, 'name'> & { readonly schema: NewSchema },
  { latest, same, followed, next }: SubjectState,
  changing: ReadonlySet<string>,
): readonly Difference[] {
  const context = contextOf(name);
  const isPending = ({ subject, version }: Reference) => version === -1 && changing.has(inContextOf(context, subject));
  const follows = schema.references.some(isPending);
  if (latest !== null && same === latest.version && !follows) return [];
  const to = latest === null || same === null || follows ? next : same;
  const version = { path: 'version', from: latest === null ? null : String(latest.version), to: String(to) };
  const old = new Map(latest?.references.map((one) => [one.name, one]));
  const references = schema.references.flatMap((one): Difference[] => {
    const before = old.get(one.name);
    old.delete(one.name);
    const isSame =
      before !== undefined &&
      inContextOf(context, before.subject) === inContextOf(context, one.subject) &&
      before.version === (one.version === -1 ? followed.get(one.subject) : one.version);
    if (isSame && !isPending(one)) return [];
    return [{ path: `references.${one.name}`, from: referenceText(before), to: referenceText(one) }];
  });
  const ended = [...old.values()].map((one) => {
    return { path: `references.${one.name}`, from: referenceText(one), to: null };
  });
  if (latest === null) return [version, { path: 'type', from: null, to: schema.type }, ...references];
  const texts = same === latest.version ? [] : schemaDifferences({ ...latest, text: latest.schema }, schema);
  const found = [...texts, ...references, ...ended];
  if (found.length > 0) return [version, ...found];
  return [version, { path: 'schema', from: `version ${latest.version}`, to: 'written in another way' }];
}

function referenceText(reference: Reference | undefined): string | null {
  if (reference === undefined) return null;
  return `${reference.subject}:${reference.version === -1 ? 'latest' : reference.version}`;
}

function deletion(name: string, { latest }: SubjectState, because: string | null): Change {
  const soft = 'a soft deletion: its ids keep working';
  return {
    kind: 'schema',
    name,
    action: 'delete',
    changes: [{ path: 'version', from: latest === null ? null : String(latest.version), to: null }],
    risk: 'none',
    why: because === null ? soft : `${because}; ${soft}`,
  };
}

/** Refuses a schema that consumers could not use: not every registry does. */
async function checkCompilation(context: Context, { subject, schema }: Registration, { fail }: Sending): Promise<void> {
  const { codecOf } = await import('../../serde/codec.ts');
  const { SchemaError } = await import('../../serde/schema.ts');
  try {
    const source = await (await context.registry()).withReferencesOfNew(subject, schema);
    await codecOf({ ...source, isNew: true });
  } catch (error) {
    if (error instanceof CliError && error.exitCode !== exitCodes.unreachable) return fail(subject, itemErrorOf(error));
    if (!(error instanceof SchemaError)) throw error;
    fail(subject, {
      code: 'INVALID_SCHEMA',
      number: null,
      message: `the schema cannot be compiled: ${error.message}`,
      retryable: false,
      exit_code: exitCodes.conflict,
    });
  }
}

/** A subject as a file has it, with its latest schema. */
function exportedSubject(name: string, { latest, level, error }: SubjectState, all: ExistingSubjects) {
  // A file that lacked it would own its name and not the subject: apply --prune would delete it.
  if (error !== null || latest === null)
    throw new CliError(
      error?.exit_code ?? exitCodes.failure,
      `unable to read the schema of "${name}": ${error?.message}`,
      {
        code: error?.code ?? 'SUBJECT_NOT_FOUND',
        target: name,
      },
    );
  // What has lines already stays as it is: some registries keep each blank.
  const isLine = latest.type !== 'PROTOBUF' && !latest.schema.includes('\n');
  const references = latest.references.map((one) => {
    const isLatest = all.get(inContextOf(contextOf(name), one.subject))?.latest?.version === one.version;
    return referenceEntry(isLatest ? { ...one, version: -1 } : one);
  });
  return {
    ...(level !== null && { level }),
    type: latest.type,
    schema: isLine ? indentJson(latest.schema) : latest.schema,
    ...(references.length > 0 && { references }),
  };
}

/** Without an address, the default is a registry of this machine, which nobody may have. */
export async function hasRegistry(context: Context): Promise<boolean> {
  return (await context.config()).setting('registry.hosts').source !== 'default';
}
