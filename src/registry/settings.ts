import { CliError, exitCodes } from '../errors.ts';
import { excerpt } from '../format/excerpt.ts';
import { fieldsOf } from '../net/json.ts';
import { pathOf } from '../net/json-api/call.ts';
import { inParallel } from '../net/parallel.ts';
import type { Api } from './api.ts';
import { hasNumber, itemOf } from './api.ts';
import type { Registry } from './registry.ts';
import type { SettingSource } from './registry-rows.ts';

/** A setting of the registry that subjects can override. */
interface Setting {
  /** For messages: `compatibility level`. */
  readonly name: string;
  readonly root: 'config' | 'mode';
  /** The keys of answers: requests and answers differ. */
  readonly keys: readonly string[];
  /** The error code of a subject without a setting of its own. */
  readonly notSet: number;
  /** What Apicurio answers for a subject without a setting of its own, instead of the error code. */
  readonly none?: string;
}

const level: Setting = {
  name: 'compatibility level',
  root: 'config',
  keys: ['compatibilityLevel', 'compatibility'],
  notSet: 40408,
  none: 'NONE',
};
const mode: Setting = { name: 'mode', root: 'mode', keys: ['mode'], notSet: 40409 };

/** A subject, or undefined for the global setting. */
type Scope = string | undefined;

/** The calls for compatibility levels and modes. */
export function openSettingCalls(
  api: Api,
): Pick<Registry, 'levels' | 'setLevels' | 'resetLevels' | 'modes' | 'setModes' | 'resetModes'> {
  const [levels, modes] = [callsFor(api, level), callsFor(api, mode)];
  const levelOf = ({ value, ...row }: Row) => ({ ...row, level: value });
  const modeOf = ({ value, ...row }: Row) => ({ ...row, mode: value });
  const changed =
    (dry_run: boolean) =>
    <T extends object>(row: T) => ({ ...row, dry_run });
  return {
    levels: async (scopes) => (await levels.read(scopes)).map(levelOf),
    async setLevels(scopes, wanted, dryRun) {
      const rows = await levels.set(scopes, wanted, { body: { compatibility: wanted }, dryRun });
      return rows.map(levelOf).map(changed(dryRun));
    },
    resetLevels: async (subjects, dryRun) => (await levels.reset(subjects, dryRun)).map(levelOf).map(changed(dryRun)),
    modes: async (scopes) => (await modes.read(scopes)).map(modeOf),
    async setModes(scopes, wanted, options) {
      const rows = await modes.set(scopes, wanted, { body: { mode: wanted }, ...options });
      return rows.map(modeOf).map(changed(options.dryRun));
    },
    resetModes: async (subjects, dryRun) => (await modes.reset(subjects, dryRun)).map(modeOf).map(changed(dryRun)),
  };
}

/** The calls for one setting, which are the same for all of them. */
function callsFor(api: Api, setting: Setting) {
  return {
    read: (scopes: readonly Scope[]) => inParallel(scopes, (scope) => read(api, setting, scope)),
    set: (scopes: readonly Scope[], wanted: string, how: Omit<Write, 'scope'>) =>
      inParallel(scopes, (scope) => attempt(scope, wanted, () => write(api, setting, { scope, ...how }))),
    reset: (subjects: readonly string[], dryRun: boolean) =>
      inParallel(subjects, (subject) => attempt(subject, null, () => reset(api, setting, subject, dryRun))),
  };
}

interface Row {
  readonly subject: string | null;
  readonly value: string | null;
  readonly source: SettingSource | null;
  readonly error: ReturnType<typeof itemOf> | null;
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

async function read(api: Api, setting: Setting, scope: Scope): Promise<Row> {
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
async function unlessNotSet({ notSet }: Setting, value: Promise<string>): Promise<string | undefined> {
  try {
    return await value;
  } catch (error) {
    if (!hasNumber(error, notSet)) throw error;
    return undefined;
  }
}

function get(api: Api, setting: Setting, scope: Scope, defaultToGlobal = false): Promise<string> {
  const doing = `read the ${nameOf(setting, scope)}`;
  return api.call({
    doing,
    method: 'GET',
    path: placeOf(setting, scope),
    query: { defaultToGlobal },
    read: (body, what) => valueIn(setting, body, { doing, what }),
  });
}

interface Write {
  readonly scope: Scope;
  readonly body: object;
  readonly dryRun: boolean;
  readonly force?: boolean;
}

/** Sets a value; a dry run only checks that the setting can be read. */
async function write(api: Api, setting: Setting, { scope, body, dryRun, force = false }: Write): Promise<undefined> {
  if (dryRun) {
    await get(api, setting, undefined);
    return;
  }
  const doing = `set the ${nameOf(setting, scope)}`;
  await api.call({
    doing,
    method: 'PUT',
    path: placeOf(setting, scope),
    query: { force },
    body,
    repeats: true,
    read: (answer, what) => valueIn(setting, answer, { doing, what }),
  });
}

/** Removes the setting of a subject, and returns it; undefined if the registry does not say. */
async function reset(api: Api, setting: Setting, subject: string, dryRun: boolean): Promise<string | undefined> {
  if (dryRun) return await get(api, setting, subject);
  return await api.call({
    doing: `reset the ${nameOf(setting, subject)}`,
    method: 'DELETE',
    path: placeOf(setting, subject),
    // The value alone is the answer of some registries for levels.
    read: (body) => (typeof body === 'string' ? body : textIn(setting, body)),
  });
}

function textIn({ keys }: Setting, body: unknown): string | undefined {
  const fields = fieldsOf(body);
  return keys.map((key) => fields[key]).find((value) => typeof value === 'string');
}

function placeOf({ root }: Setting, scope: Scope): string {
  return scope === undefined ? `/${root}` : `/${root}${pathOf`/${scope}`}`;
}

function nameOf({ name }: Setting, scope: Scope): string {
  return scope === undefined ? `global ${name}` : `${name} of the subject "${excerpt(scope)}"`;
}

/** Some registries answer 204 to everything about a setting that they do not have, and change nothing. */
function valueIn(setting: Setting, body: unknown, { doing, what }: { doing: string; what: string }): string {
  const found = textIn(setting, body);
  if (found !== undefined) return found;
  const { name } = setting;
  throw new CliError(exitCodes.failure, `unable to ${doing}: the answer to ${what} has no ${name}`, {
    code: 'NOT_SUPPORTED',
    target: what,
    hints: [`this registry may not have a ${name}`],
  });
}
