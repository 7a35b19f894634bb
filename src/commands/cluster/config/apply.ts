import {
  behind,
  type ConfigChange,
  type ConfigOutcome,
  type ConfigStatus,
  distributionOf,
} from '../../../admin/config-rows.ts';
import type { CommonValues } from '../../../cli/command.ts';
import { outcomeOf } from '../../../cli/forms/outcome.ts';
import type { Context } from '../../../context.ts';
import { CliError, exitCodes, type ItemError, itemErrorOf, notChanged, stoppedError } from '../../../errors.ts';
import { printable } from '../../../format/printable.ts';
import { sending } from '../../interruption.ts';
import { type WaitValues, waitFor } from '../wait.ts';
import { type Change, type ChangedConfig, rowOf } from './change-text.ts';
import type { PlannedChange } from './config-plan.ts';
import { newValues, secretTexts } from './secret-values.ts';

/** How to make a change. */
export type Application = WaitValues & CommonValues;

/** The command that shows which brokers have a change. */
export const statusLine = 'weir cluster config status';

/** Changes the configuration with one request. */
export async function sendChanges(
  context: Context,
  changes: readonly PlannedChange[],
  isForced = false,
): Promise<ConfigOutcome> {
  const admin = await context.admin();
  sending(context, 'changing the configuration', statusLine);
  return await admin.changeConfiguration(requestOf(changes, isForced));
}

/** Lets the cluster check changes without making them. */
export async function checkChanges(
  context: Context,
  changes: readonly PlannedChange[],
  isForced = false,
): Promise<ConfigOutcome> {
  return await (await context.admin()).checkConfiguration(requestOf(changes, isForced));
}

function requestOf(changes: readonly PlannedChange[], isForced: boolean): ConfigChange {
  const upsert = changes.flatMap(({ property, after }) =>
    after === undefined ? [] : [[property.name, after] as const],
  );
  const remove = changes.filter(({ after }) => after === undefined).map(({ property }) => property.name);
  return { upsert: new Map(upsert), remove, secrets: secretTexts(newValues(changes)), force: isForced };
}

/** Makes the planned changes: all of them, or none if the server refuses one. */
export async function applyChanges(
  context: Context,
  changes: readonly PlannedChange[],
  how: Application,
): Promise<ChangedConfig> {
  const outcome = await (how.dryRun ? checkChanges : sendChanges)(context, changes);
  const { version } = outcome;
  const rows =
    version === null ? refusedRows(changes, outcome, how.dryRun) : changes.map((change) => rowOf(change, how.dryRun));
  if (version === null || how.dryRun) return { version: null, restart: null, changes: rows, dry_run: how.dryRun };
  context.onInterrupt(changedError(version));
  return { version, restart: await settled(context, version, changes, how), changes: rows, dry_run: false };
}

/** The report of a command that a signal stops after its change was made. */
export function changedError(version: number): CliError {
  const hints = [`see which brokers have it with: ${statusLine}`];
  return stoppedError(`the configuration has been changed (version ${version})`, hints);
}

/** Rows with the reasons of the server; a reason may be about a property that is not changed. */
function refusedRows(
  changes: readonly PlannedChange[],
  { reasons, error }: Refusal,
  isDryRun: boolean,
): readonly Change[] {
  const ofProperty = (message: string): ItemError => ({ ...itemErrorOf(error), message });
  const rows = changes.map((change) => {
    const { name, aliases } = change.property;
    const reason = [name, ...aliases].map((one) => reasons.get(one)).find((one) => one !== undefined);
    return rowOf(change, isDryRun, reason === undefined ? refusedTogether : ofProperty(reason));
  });
  const names = new Set(changes.flatMap(({ property }) => [property.name, ...property.aliases]));
  const others = [...reasons].filter(([name]) => !names.has(name));
  return [
    ...rows,
    ...others.map(
      ([property, reason]): Change => ({
        property,
        old: null,
        new: null,
        action: 'none',
        needs_restart: false,
        ...outcomeOf({ error: ofProperty(reason) }, isDryRun),
      }),
    ),
  ];
}

type Refusal = Extract<ConfigOutcome, { readonly version: null }>;

/** The error of a property that is not changed because another one is refused. */
const refusedTogether: ItemError = {
  ...notChanged('the cluster makes all of the changes or none', exitCodes.failure),
  retryable: false,
};

/**
 * Waits if that is asked for, and says which brokers need a restart.
 * @returns the ids of those brokers; null if the brokers cannot tell
 */
export async function settled(
  context: Context,
  version: number,
  changes: readonly PlannedChange[],
  how: WaitValues,
): Promise<readonly number[] | null> {
  const rows = await (how.wait ? waitForVersion(context, version, how) : readStatus(context));
  if (rows === null) return null;
  const late = behind(rows, version);
  const latest = Math.max(...rows.map((row) => row.config_version));
  if (latest > version)
    context.warn(
      `someone else has changed the configuration since (version ${latest}): it may not have these values any more`,
    );
  if (late.length > 0) context.step(`${brokersText(late)} not have version ${version} yet`);
  // A broker that does not have the change does not know yet that it needs a restart.
  const needing = changes.filter(({ property }) => property.needs_restart);
  const restart = rows.filter((row) => row.needs_restart || (needing.length > 0 && late.includes(row)));
  const names = needing.map(({ property }) => printable(property.name)).join(', ');
  if (restart.length > 0 && needing.length > 0)
    context.noticeAfter(`restart ${listOf(restart)} for ${names}, then check with: ${statusLine}`);
  for (const { id, invalid, unknown } of rows) {
    const bad = [...invalid, ...unknown].map(printable).join(', ');
    if (bad !== '') context.warn(`broker ${id} does not accept ${bad}`);
  }
  return restart.map(({ id }) => id);
}

/** The change is made: that its state cannot be read does not make it fail. */
async function readStatus(context: Context): Promise<readonly ConfigStatus[] | null> {
  try {
    return await (await context.admin()).configStatus();
  } catch (error) {
    if (context.signal.aborted || !(error instanceof CliError)) throw error;
    context.warn(`the configuration has been changed, but its state on the brokers cannot be read: ${error.message}`);
    return null;
  }
}

/** Waits until every broker has a version (default: the latest one that a broker has). */
export async function waitForVersion(
  context: Context,
  version: number | undefined,
  how: WaitValues,
): Promise<readonly ConfigStatus[]> {
  const admin = await context.admin();
  return await waitFor<readonly ConfigStatus[]>(context, how, {
    what: distributionOf(version),
    resumeWith: `${statusLine} --wait`,
    show: (rows) => missingText(behind(rows, version)),
    start: (options) => admin.waitForConfig(version, options),
  });
}

function missingText(late: readonly ConfigStatus[]): string {
  return late.length === 0 ? 'every broker has it' : `${brokersText(late)} not have it yet`;
}

function brokersText(rows: readonly ConfigStatus[]): string {
  return `${listOf(rows)} ${rows.length === 1 ? 'does' : 'do'}`;
}

function listOf(rows: readonly ConfigStatus[]): string {
  const ids = rows.map(({ id }) => id);
  return `${ids.length === 1 ? 'broker' : 'brokers'} ${ids.join(', ')}`;
}

/** The error for a configuration that somebody else has changed in the meantime. */
export function changedMeanwhile(names: readonly string[]): CliError {
  const which = names.map(printable).join(', ');
  return new CliError(exitCodes.conflict, `the configuration was changed by someone else in the meantime: ${which}`, {
    code: 'CONFIG_CHANGED',
    hints: ['nothing was changed: compare again and repeat the command'],
  });
}
