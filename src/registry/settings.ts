import { CliError, exitCodes, type ItemError } from '../errors.ts';
import { excerpt } from '../format/excerpt.ts';
import { type ApiPath, pathOf } from '../net/json-api/call.ts';
import { inParallel } from '../net/parallel.ts';
import { fieldsOf } from '../shape/object.ts';
import { type Api, calls, hasNumber, itemOf } from './api.ts';
import { contextOf } from './context-words.ts';

/** A setting of the registry that subjects can override. */
interface Setting {
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

const level: Setting = {
  name: 'compatibility level',
  root: 'config',
  sent: 'compatibility',
  keys: ['compatibilityLevel', 'compatibility'],
  notSet: 40408,
  none: 'NONE',
};
const mode: Setting = { name: 'mode', root: 'mode', sent: 'mode', keys: ['mode'], notSet: 40409 };

/** A subject, a context as `:.staging:`, or undefined for the global setting. */
type Scope = string | undefined;

/** The calls for compatibility levels and modes. */
export function createSettingCalls(api: Api) {
  return {
    levels: callsFor(api, level),
    modes: callsFor(api, mode),
    /** Whether `:.staging:orders` is only a name to a registry with contexts, as to Redpanda by a property. */
    hasLiteralNames: () => hasLiteralNames(api),
  };
}

/**
 * With the property, the default context always has a level; without it, `:.:` is the name of a subject, which has none (26:
 * src/v/pandaproxy/schema_registry/types.cc:71 and store.h:700). Some releases of Confluent's registry have none for either.
 */
async function hasLiteralNames(api: Api): Promise<boolean> {
  try {
    await get(api, level, ':.:');
    return false;
  } catch (error) {
    // Who may not read it may do so on Redpanda, and with other answers it is another registry.
    if (!hasNumber(error, level.notSet)) return false;
  }
  const ready = calls.get('recognize the registry', pathOf`/status/ready`, () => true, {
    parse: () => true,
    once: true,
  });
  return await api.call(ready).catch(() => false);
}

/** The level that a subject has set itself; null for none. Apicurio has NONE for a subject without one, and keeps no NONE. */
export async function ownLevelOf(api: Api, subject: string): Promise<string | null> {
  try {
    const value = await get(api, level, subject);
    return api.isApicurio && value === level.none ? null : value;
  } catch (error) {
    if (hasNumber(error, level.notSet, 40401)) return null;
    throw error;
  }
}

/** Sets the level of a subject. */
export async function setLevel(api: Api, subject: string, value: string): Promise<void> {
  await write(api, level, subject, { value, force: false });
}

/** Whether a subject itself has the mode IMPORT; false if the registry does not say. */
export async function isImporting(api: Api, subject: string): Promise<boolean> {
  return (await attempt(subject, () => get(api, mode, subject))).value === 'IMPORT';
}

/** The mode that a subject has set itself; undefined for none. */
export function ownModeOf(api: Api, subject: string): Promise<string | undefined> {
  return unlessNotSet(mode, get(api, mode, subject));
}

/** Sets the mode IMPORT of a subject, also if it has versions. */
export async function setImport(api: Api, subject: string): Promise<void> {
  await write(api, mode, subject, { value: 'IMPORT', force: true });
}

/** Gives a subject the mode back that it had. @param before undefined for none of its own */
export async function restoreMode(api: Api, subject: string, before: string | undefined): Promise<void> {
  if (before !== undefined) await write(api, mode, subject, { value: before, force: false });
  else
    await reset(api, mode, subject).catch((error: unknown) => {
      if (!hasNumber(error, mode.notSet, 40401)) throw error;
    });
}

/** The compatibility level that applies to a subject; null if the registry does not say. */
export async function levelOf(api: Api, subject: string): Promise<string | null> {
  const ofSubject = await read(api, level, subject);
  return ofSubject.value ?? (await read(api, level, undefined)).value;
}

/** The calls for a setting. Each returns one row for each subject, or for the registry for undefined, in their order. */
export type SettingCalls = ReturnType<typeof callsFor>;

function callsFor(api: Api, setting: Setting) {
  return {
    /** What applies to each. */
    get: (scopes: readonly Scope[]) => inParallel(scopes, (scope) => read(api, setting, scope)),
    /** What each has set itself; an error for one that has nothing. */
    own: (scopes: readonly Scope[]) => inParallel(scopes, (scope) => attempt(scope, () => get(api, setting, scope))),
    /** Whether each has this value of its own already; false if the registry does not say. */
    has: (scopes: readonly Scope[], value: string) =>
      inParallel(scopes, async (scope) => {
        if (scope !== undefined && value === setting.none) return false;
        return (await attempt(scope, () => get(api, setting, scope))).value === value;
      }),
    /** @param force whether to set a mode that the registry would refuse otherwise */
    set: (scopes: readonly Scope[], value: string, force: boolean) =>
      inParallel(scopes, async (scope) => {
        const row = await attempt(scope, () => write(api, setting, scope, { value, force }));
        return row.error === null ? await kept(api, setting, row) : row;
      }),
    /** Removes the settings of subjects, so that the global one applies; the rows have what was removed. */
    reset: (scopes: readonly Scope[]) =>
      inParallel(scopes, (scope) => attempt(scope, () => reset(api, setting, scope))),
  };
}

type SettingSource = 'subject' | 'context' | 'global' | 'default';

/** A setting of a subject. */
export interface SettingRow {
  /** Null for the global setting. */
  readonly subject: string | null;
  readonly value: string | null;
  /**
   * Where it is set: a subject without one has that of its context. The global one is that of the default context; `default` is
   * what other contexts without one have. Null: unknown.
   */
  readonly source: SettingSource | null;
  readonly error: ItemError | null;
}

async function attempt(scope: Scope, call: () => Promise<string | undefined>): Promise<SettingRow> {
  const subject = scope ?? null;
  try {
    const value = (await call()) ?? null;
    return { subject, value, source: sourceOf(scope), error: null };
  } catch (error) {
    return { subject, value: null, source: null, error: itemOf(error) };
  }
}

async function read(api: Api, setting: Setting, scope: Scope): Promise<SettingRow> {
  const subject = scope ?? null;
  try {
    if (scope === undefined) return { subject, value: await get(api, setting, scope), source: 'global', error: null };
    const ofSubject = await unlessNotSet(setting, get(api, setting, scope));
    if (ofSubject !== undefined && ofSubject !== setting.none)
      return { subject, value: ofSubject, source: sourceOf(scope), error: null };
    const value = await get(api, setting, scope, true);
    return {
      subject,
      value,
      source: value === ofSubject ? sourceOf(scope) : await outside(api, setting, scope),
      error: null,
    };
  } catch (error) {
    return { subject, value: null, source: null, error: itemOf(error) };
  }
}

/** What has the own setting of a scope. */
function sourceOf(scope: Scope): SettingSource {
  if (scope === undefined) return 'global';
  return contextOf(scope) === scope ? 'context' : 'subject';
}

/**
 * Where the setting of a subject comes from that has none of its own. Contexts without a setting do not have that of the default
 * context, but that of `.__GLOBAL`, or what is built in (26: src/v/pandaproxy/schema_registry/store.h:708; Confluent's the same).
 */
async function outside(api: Api, setting: Setting, scope: string): Promise<SettingSource> {
  const context = contextOf(scope);
  if (context === '') return 'global';
  if (context === scope) return 'default';
  return (await unlessNotSet(setting, get(api, setting, context))) === undefined ? 'default' : 'context';
}

/** The value of a subject's own setting; undefined if it has none. */
async function unlessNotSet({ notSet }: Setting, value: Promise<string>): Promise<string | undefined> {
  try {
    return await value;
  } catch (error) {
    if (!hasNumber(error, notSet, 40401)) throw error;
    return undefined;
  }
}

function get(api: Api, setting: Setting, scope: Scope, defaultToGlobal = false): Promise<string> {
  const doing = `read the ${nameOf(setting, scope)}`;
  const answer = valueIn(setting, doing);
  return api.call(calls.get(doing, placeOf(setting, scope), answer, { query: { defaultToGlobal } }));
}

async function write(
  api: Api,
  setting: Setting,
  scope: Scope,
  { value, force }: { readonly value: string; readonly force: boolean },
): Promise<string> {
  const doing = `set the ${nameOf(setting, scope)}`;
  await api.call(
    calls.put(doing, placeOf(setting, scope), {
      query: { force },
      body: { [setting.sent]: value },
      repeats: true,
      answer: valueIn(setting, doing),
    }),
  );
  return value;
}

/** A setting that was made. Apicurio removes a level instead of setting it to NONE, so that the global one applies. */
async function kept(api: Api, setting: Setting, row: SettingRow): Promise<SettingRow> {
  const { subject, value } = row;
  if (!api.isApicurio || subject === null || value !== setting.none) return row;
  const now = await read(api, setting, subject);
  if (now.value === null || now.value === value) return row;
  const message = `the registry did not keep the ${setting.name}: ${now.value} (${now.source}) applies`;
  const error = { code: 'NOT_SUPPORTED', number: null, message, retryable: false, exit_code: exitCodes.failure };
  return { ...now, error };
}

/** Removes a setting, and returns it; undefined if the registry does not say. */
async function reset(api: Api, setting: Setting, scope: Scope): Promise<string | undefined> {
  return await api.call(
    calls.delete(`reset the ${nameOf(setting, scope)}`, placeOf(setting, scope), {
      // The value alone is the answer of some registries for levels.
      answer: (body) => (typeof body === 'string' ? body : textIn(setting, body)),
    }),
  );
}

function textIn({ keys }: Setting, body: unknown): string | undefined {
  const fields = fieldsOf(body);
  return keys.map((key) => fields[key]).find((value) => typeof value === 'string');
}

function placeOf({ root }: Setting, scope: Scope): ApiPath {
  return scope === undefined ? pathOf`/${root}` : pathOf`/${root}/${scope}`;
}

function nameOf({ name }: Setting, scope: Scope): string {
  if (scope === undefined) return `global ${name}`;
  return contextOf(scope) === scope
    ? `${name} of the context "${excerpt(scope.slice(1, -1))}"`
    : `${name} of the subject "${excerpt(scope)}"`;
}

/** Some registries answer 204 to everything about a setting that they do not have, and change nothing. */
function valueIn(setting: Setting, doing: string): (body: unknown, what: string) => string {
  return (body, what) => {
    const text = textIn(setting, body);
    if (text !== undefined) return text;
    const { name } = setting;
    throw new CliError(exitCodes.failure, `unable to ${doing}: the answer to ${what} has no ${name}`, {
      code: 'NOT_SUPPORTED',
      target: what,
      hints: [`this registry may not have a ${name}`],
    });
  };
}
