import { any, flag, many, type Noun, noun, toggle } from '../../cli/command.ts';
import { change } from '../../cli/forms/change.ts';
import { type Column, errorAlways } from '../../cli/forms/columns.ts';
import { notNeededIf } from '../../cli/forms/outcome.ts';
import { listCommand } from '../../cli/forms/read.ts';
import type { Context } from '../../context.ts';
import { missingError } from '../../errors.ts';
import type { Cell } from '../../format/table.ts';
import type { Kind } from '../../kinds.ts';
import type { SettingCalls, SettingRow } from '../../registry/settings.ts';
import { itemError } from '../../shape/item-error.ts';
import { maybe, type Row, row, string, word } from '../../shape/shape.ts';
import {
  type ContextValues,
  contextFlags,
  noticeOtherContexts,
  prefixOf,
  requireContexts,
  subjectIn,
} from '../schema-context.ts';
import { subjectName } from './kinds.ts';

/** What `get`, `set` and `reset` of a setting say about it. */
interface VerbTexts {
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly (readonly [string, string])[];
}

/** A setting of the registry that subjects can override, and its texts. */
interface Setting {
  readonly summary: string;
  /** For questions: `compatibility level`. */
  readonly name: string;
  /** Its key in rows, its flag and the header of its column: `level`. */
  readonly key: string;
  readonly kind: Kind<string>;
  /** Whether the registry can be told to set a value that it would refuse otherwise. */
  readonly forceHelp?: string;
  calls(context: Context): Promise<SettingCalls>;
  readonly get: VerbTexts;
  readonly set: VerbTexts;
  readonly reset: VerbTexts;
}

/** A subject's setting; `subject` is null for the global one. `source` is where it is set, null if that is unknown. */
const settingFields = { subject: maybe(string), source: maybe(word('subject', 'context', 'global', 'default')) };

const scopeArgs = { subjects: any(subjectName, 'SUBJECT', 'names of subjects (default: the global setting)') };
const scopeFlags = { global: toggle({ help: 'include the global setting as well' }), ...contextFlags };

/** The verbs of a setting, which differ in words only. */
export function settingNoun(setting: Setting): Noun {
  const { summary, name, key, kind, forceHelp, calls, get, set, reset } = setting;
  // The compiler knows the key of the value only as a string.
  const item = row({ ...settingFields, [key]: maybe(string) }) as unknown as Row<typeof settingFields>;
  const listed = row({ ...settingFields, [key]: maybe(string), error: itemError }) as unknown as Row<
    typeof settingFields & { readonly error: typeof itemError }
  >;
  const rowOf = ({ value, ...rest }: SettingRow) => ({ ...rest, [key]: value });
  const value = (one: object): Cell => (one as Readonly<Record<string, Cell>>)[key];
  const subject: Column<{ readonly subject: string | null }> = ['subject', (one) => one.subject ?? '{GLOBAL}'];
  const changed = {
    apis: ['registry'],
    changes: 'alters',
    guarded: 'because it decides which schemas producers can register',
    noun: 'setting',
    ends: 'error',
  } as const;
  const commands = {
    get: listCommand({
      ...get,
      apis: ['registry'],
      args: scopeArgs,
      flags: scopeFlags,
      row: listed,
      async read(context, values) {
        await requireContexts(context, values);
        return (await (await calls(context)).get(scopesOf(values))).map(rowOf);
      },
      columns: [subject, [key, value], 'source', errorAlways()],
    }),
    set: change({
      ...changed,
      ...set,
      args: scopeArgs,
      flags: {
        [key]: flag(kind, { help: `${key} to set (default: the last argument)` }),
        ...(forceHelp !== undefined && { force: toggle({ help: forceHelp }) }),
        ...scopeFlags,
      },
      item,
      async plan(context, values) {
        const { scopes, value: wanted } = wantedOf(setting, values);
        await requireContexts(context, values);
        const isSet = await (await calls(context)).has(scopes, wanted);
        return scopes.map((scope, at) => ({
          ...rowOf({ ...rowAt(scope), value: wanted }),
          status: notNeededIf(isSet[at] === true),
        }));
      },
      asks(items, values) {
        const { value } = wantedOf(setting, values);
        return { question: `Set the ${name} of ${scopeText(items)} to ${value}`, name: value };
      },
      // A registry that answers for the global setting has the setting.
      async validate(context, items) {
        const [failed] = (await (await calls(context)).get([undefined])).filter(({ error }) => error !== null);
        return items.map(() => (failed === undefined ? {} : { error: failed.error, ...unknown(key) }));
      },
      async apply(context, items, values) {
        const { value } = wantedOf(setting, values);
        const force = (values as { readonly force?: boolean }).force ?? false;
        const results = await (await calls(context)).set(items.map(scopeOf), value, force);
        if (results.some(({ subject, error }) => subject === null && error === null))
          await noticeOtherContexts(context, name);
        return results.map(rowOf);
      },
      columns: [subject, [key, value]],
      would: 'be changed',
      notNeeded: 'already set',
    }),
    reset: change({
      ...changed,
      ...reset,
      args: { subjects: many(subjectName, 'SUBJECT', 'names of subjects') },
      flags: contextFlags,
      item,
      async plan(context, values) {
        await requireContexts(context, values);
        return namesOf(values).map((one) => rowOf({ ...rowAt(one), value: null }));
      },
      asks: (items) => ({ question: `Remove the ${name} of ${scopeText(items)}`, name: 'reset' }),
      validate: async (context, items) => (await (await calls(context)).own(items.map(scopeOf))).map(rowOf),
      apply: async (context, items) => (await (await calls(context)).reset(items.map(scopeOf))).map(rowOf),
      columns: [subject, [`${key} removed`, value]],
      would: 'be removed',
    }),
  };
  return noun({ summary, flags: contextFlags, commands });
}

function rowAt(scope: string | undefined): Omit<SettingRow, 'value'> {
  const source = scope === undefined ? 'global' : /^:[^:]*:$/.test(scope) ? 'context' : 'subject';
  return { subject: scope ?? null, source, error: null };
}

function unknown(key: string) {
  return { source: null, [key]: null };
}

function scopeOf({ subject }: { readonly subject: string | null }): string | undefined {
  return subject ?? undefined;
}

/** The scopes of a command line. The global setting, undefined, or that of the context comes first. */
function scopesOf(values: ScopeValues): readonly (string | undefined)[] {
  const names = namesOf(values);
  const prefix = prefixOf(values.schemaContext);
  return values.global || names.length === 0 ? [prefix === '' ? undefined : prefix, ...names] : names;
}

/** The values of the arguments and flags that name scopes. */
interface ScopeValues extends Pick<ContextValues, 'schemaContext'> {
  readonly subjects: readonly string[];
  readonly global: boolean;
}

function namesOf(values: Pick<ScopeValues, 'subjects' | 'schemaContext'>): readonly string[] {
  return [...new Set(values.subjects.map((name) => subjectIn(values, name)))].sort();
}

/**
 * The value to set and where: the value is that of the flag, or the last word, as in `set orders FULL`.
 * @throws CliError (exit 2) if it is neither
 */
function wantedOf(
  { key, kind }: Setting,
  values: ScopeValues,
): { readonly value: string; readonly scopes: readonly (string | undefined)[] } {
  const text = (values as unknown as Readonly<Record<string, unknown>>)[key] as string | undefined;
  if (text !== undefined) return { value: text, scopes: scopesOf(values) };
  const last = values.subjects.at(-1);
  try {
    if (last !== undefined)
      return { value: kind.parse(last), scopes: scopesOf({ ...values, subjects: values.subjects.slice(0, -1) }) };
  } catch {
    // It is a subject.
  }
  const choices = kind.choices?.join(', ') ?? '';
  throw missingError(`--${key}`, [`name it last, or with --${key}: ${choices}`]);
}

function scopeText(items: readonly { readonly subject: string | null }[]): string {
  return items.map(({ subject }) => subject ?? 'the registry').join(', ');
}
