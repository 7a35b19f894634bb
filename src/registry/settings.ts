import { CliError, exitCodes, type ItemError } from '../errors.ts';
import { excerpt } from '../format/excerpt.ts';
import { type ApiPath, pathOf } from '../net/json-api/call.ts';
import { inParallel } from '../net/parallel.ts';
import { fieldsOf } from '../shape/object.ts';
import { type Api, calls, hasNumber, itemOf } from './api.ts';

/** A setting of the registry that subjects can override. */
interface Setting<K extends string> {
  /** Its key in rows. */
  readonly key: K;
  /** For messages: `compatibility level`. */
  readonly name: string;
  readonly root: 'config' | 'mode';
  /** The key of requests. */
  readonly sent: string;
  /** The keys of answers. */
  readonly keys: readonly string[];
  /** The error code of a subject without a setting of its own. */
  readonly notSet: number;
  /** What Apicurio answers for a subject without a setting of its own, instead of the error code. */
  readonly none?: string;
}

const level: Setting<'level'> = {
  key: 'level',
  name: 'compatibility level',
  root: 'config',
  sent: 'compatibility',
  keys: ['compatibilityLevel', 'compatibility'],
  notSet: 40408,
  none: 'NONE',
};
const mode: Setting<'mode'> = { key: 'mode', name: 'mode', root: 'mode', sent: 'mode', keys: ['mode'], notSet: 40409 };

/** A subject, or undefined for the global setting. */
type Scope = string | undefined;

/** The calls for compatibility levels and modes. */
export function createSettingCalls(api: Api) {
  const levels = callsFor(api, level);
  const modes = callsFor(api, mode);
  return {
    /** The compatibility levels of subjects, and of the registry for undefined, in this order. */
    levels: levels.get,
    setLevels: levels.set,
    /** Removes the levels of subjects, so that the global level applies; the rows have the removed levels. */
    resetLevels: levels.reset,
    /** The modes of subjects, and of the registry for undefined, in this order. */
    modes: modes.get,
    setModes: modes.set,
    /** Removes the modes of subjects, so that the global mode applies; the rows have the removed modes. */
    resetModes: modes.reset,
  };
}

/** The compatibility level that applies to a subject; null if the registry does not say. */
export async function levelOf(api: Api, subject: string): Promise<string | null> {
  const own = await read(api, level, subject);
  return own.value ?? (await read(api, level, undefined)).value;
}

/** How to change a setting. */
interface ChangeOptions {
  readonly dryRun: boolean;
  /** Whether to change a mode that the registry would not change otherwise. */
  readonly force?: boolean;
}

function callsFor<K extends string>(api: Api, setting: Setting<K>) {
  const { key } = setting;
  const named = ({ value, ...row }: Row) =>
    ({ ...row, [key]: value }) as Omit<Row, 'value'> & { readonly [name in K]: string | null };
  return {
    async get(scopes: readonly Scope[]) {
      return (await inParallel(scopes, (scope) => read(api, setting, scope))).map(named);
    },
    async set(scopes: readonly Scope[], wanted: string, options: ChangeOptions) {
      const change = (scope: Scope) => attempt(scope, wanted, () => write(api, setting, scope, { ...options, wanted }));
      return (await inParallel(scopes, change)).map((row) => ({ ...named(row), dry_run: options.dryRun }));
    },
    async reset(subjects: readonly string[], dryRun: boolean) {
      const change = (subject: string) => attempt(subject, null, () => reset(api, setting, subject, dryRun));
      return (await inParallel(subjects, change)).map((row) => ({ ...named(row), dry_run: dryRun }));
    },
  };
}

interface Row {
  readonly subject: string | null;
  readonly value: string | null;
  readonly source: 'subject' | 'global' | null;
  readonly error: ItemError | null;
}

/** Runs a change; its value is `wanted` unless it returns another one. */
async function attempt(scope: Scope, wanted: string | null, change: () => Promise<string | undefined>): Promise<Row> {
  const subject = scope ?? null;
  try {
    const value = (await change()) ?? wanted;
    return { subject, value, source: scope === undefined ? 'global' : 'subject', error: null };
  } catch (error) {
    return { subject, value: null, source: null, error: itemOf(error) };
  }
}

async function read(api: Api, setting: Setting<string>, scope: Scope): Promise<Row> {
  const subject = scope ?? null;
  try {
    if (scope === undefined) return { subject, value: await get(api, setting, scope), source: 'global', error: null };
    const own = await unlessNotSet(setting, get(api, setting, scope));
    if (own !== undefined && own !== setting.none) return { subject, value: own, source: 'subject', error: null };
    const value = await get(api, setting, scope, true);
    return { subject, value, source: value === own ? 'subject' : 'global', error: null };
  } catch (error) {
    return { subject, value: null, source: null, error: itemOf(error) };
  }
}

/** The value of a subject's own setting; undefined if it has none. */
async function unlessNotSet({ notSet }: Setting<string>, value: Promise<string>): Promise<string | undefined> {
  try {
    return await value;
  } catch (error) {
    if (!hasNumber(error, notSet)) throw error;
    return undefined;
  }
}

function get(api: Api, setting: Setting<string>, scope: Scope, defaultToGlobal = false): Promise<string> {
  const doing = `read the ${nameOf(setting, scope)}`;
  const answer = valueIn(setting, doing);
  return api.call(calls.get(doing, placeOf(setting, scope), answer, { query: { defaultToGlobal } }));
}

/** Sets a value; a dry run only checks that the setting can be read. */
async function write(
  api: Api,
  setting: Setting<string>,
  scope: Scope,
  { wanted, dryRun, force = false }: ChangeOptions & { readonly wanted: string },
): Promise<undefined> {
  if (dryRun) {
    await get(api, setting, undefined);
    return;
  }
  const doing = `set the ${nameOf(setting, scope)}`;
  const body = { [setting.sent]: wanted };
  await api.call(
    calls.put(doing, placeOf(setting, scope), {
      query: { force },
      body,
      repeats: true,
      answer: valueIn(setting, doing),
    }),
  );
}

/** Removes the setting of a subject, and returns it; undefined if the registry does not say. */
async function reset(
  api: Api,
  setting: Setting<string>,
  subject: string,
  dryRun: boolean,
): Promise<string | undefined> {
  if (dryRun) return await get(api, setting, subject);
  return await api.call(
    calls.delete(`reset the ${nameOf(setting, subject)}`, placeOf(setting, subject), {
      // The value alone is the answer of some registries for levels.
      answer: (body) => (typeof body === 'string' ? body : textIn(setting, body)),
    }),
  );
}

function textIn({ keys }: Setting<string>, body: unknown): string | undefined {
  const fields = fieldsOf(body);
  return keys.map((key) => fields[key]).find((value) => typeof value === 'string');
}

function placeOf({ root }: Setting<string>, scope: Scope): ApiPath {
  return scope === undefined ? pathOf`/${root}` : pathOf`/${root}/${scope}`;
}

function nameOf({ name }: Setting<string>, scope: Scope): string {
  return scope === undefined ? `global ${name}` : `${name} of the subject "${excerpt(scope)}"`;
}

/** Some registries answer 204 to everything about a setting that they do not have, and change nothing. */
function valueIn(setting: Setting<string>, doing: string): (body: unknown, what: string) => string {
  return (body, what) => {
    const found = textIn(setting, body);
    if (found !== undefined) return found;
    const { name } = setting;
    throw new CliError(exitCodes.failure, `unable to ${doing}: the answer to ${what} has no ${name}`, {
      code: 'NOT_SUPPORTED',
      target: what,
      hints: [`this registry may not have a ${name}`],
    });
  };
}
