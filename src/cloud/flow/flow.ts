import { CliError, exitCodes, rephrased } from '../../errors.ts';
import { commandText } from '../../format/shell-word.ts';
import type { Cluster } from '../cloud-rows.ts';
import { commandLineOf, type PluginCall } from '../plugin/argv.ts';
import { createSteps } from './create.ts';
import { deleteSteps } from './delete.ts';
import type { Journal } from './journal.ts';
import { type FlowRecord, nameOfFlow, resumeCommand } from './record.ts';
import { FlowOver, type FlowWorld, type Step } from './step.ts';

/** The world in which flows run, with their journal. */
export interface FlowRunner extends FlowWorld {
  readonly journal: Journal;
  /** Called with the record of the flow whenever the journal has it, and with the failure that ends it for good. */
  onReached(state: FlowRecord | CliError): void;
}

/** How a flow ended, or where it stopped. */
export interface FlowOutcome {
  readonly record: FlowRecord;
  /** The cluster as read at the end of a creation. */
  readonly cluster: Cluster | undefined;
  /** The command line that the user must run before the flow can continue; undefined if the flow is finished. */
  readonly command: string | undefined;
}

/**
 * Starts a flow.
 * @throws CliError; if the flow can be resumed, the hints name the command
 */
export async function beginFlow(record: FlowRecord, world: FlowRunner): Promise<FlowOutcome> {
  return await world.journal.hold(record.id, async (kept) => {
    if (kept !== undefined) throw unfinished(kept);
    return await run(record, world, record.request);
  });
}

/** Creates the error for a flow that an earlier run started and did not finish. */
export function unfinished(record: FlowRecord): CliError {
  const what = record.kind === 'create' ? 'creation' : 'deletion';
  const resume = resumeCommand(record);
  return new CliError(exitCodes.conflict, `an earlier ${what} of cluster "${record.cluster_name}" is unfinished`, {
    code: 'FLOW_UNFINISHED',
    target: nameOfFlow(record),
    hints: [`finish it with: ${resume}`, `or forget it without undoing anything: ${resume} --forget`],
  });
}

/**
 * Resumes a flow where an earlier run stopped; undefined if another weir has finished it in the meantime.
 * @throws CliError in the same cases as `beginFlow`
 */
export async function resumeFlow(
  record: FlowRecord,
  world: FlowRunner,
  change: Partial<FlowRecord> = {},
): Promise<FlowOutcome | undefined> {
  return await world.journal.hold(record.id, async (kept) => {
    return kept === undefined ? undefined : await run({ ...kept, ...change }, world);
  });
}

/**
 * Records that the user ran the plugin, so that a flow that waits for it continues after that step. The cluster's state
 * may take minutes to show it.
 */
export async function notePluginRun(journal: Journal, apiUrl: string, call: PluginCall): Promise<void> {
  const [kind, steps] = call.verb === 'apply' ? ['create', ['agent', 'apply']] : ['delete', ['agent', 'destroy']];
  const waits = (record: FlowRecord) =>
    record.kind === kind &&
    record.api_url === apiUrl &&
    record.cluster_id === call.clusterId &&
    steps.includes(record.step);
  for (const { id } of (await journal.list()).filter(waits)) {
    await journal.hold(id, async (kept) => {
      if (kept !== undefined && waits(kept)) await journal.write({ ...kept, step: 'operation', begun: false });
    });
  }
}

/** Runs the remaining steps and records each one before and after it runs; the record of a finished flow is removed. */
async function run(
  begun: FlowRecord,
  world: FlowRunner,
  wholeRequest: FlowRecord['request'] = null,
): Promise<FlowOutcome> {
  let record = begun;
  let again = begun.begun;
  let cluster: Cluster | undefined;
  try {
    while (record.step !== 'done') {
      record = { ...record, begun: true };
      await world.journal.write(record);
      world.onReached(record);
      const withSecrets = wholeRequest === null ? record : { ...record, request: wholeRequest, withheld: [] };
      const { next, pausedFor, cluster: read, ...found } = await stepOf(record)(withSecrets, world, again);
      again = false;
      cluster = read ?? cluster;
      record = { ...record, ...found, step: next, begun: false };
      await world.journal.write(record);
      world.onReached(record);
      if (pausedFor !== undefined) return { record, cluster, command: commandLineOf(pausedFor) };
    }
  } catch (error) {
    if (error instanceof FlowOver) {
      await world.journal.remove(record.id);
      if (error.failure instanceof CliError) world.onReached(error.failure);
    }
    throw error instanceof FlowOver ? error.failure : resumable(error, record);
  }
  await world.journal.remove(record.id);
  return { record, cluster, command: undefined };
}

function stepOf({ kind, step }: FlowRecord): Step {
  const steps: Readonly<Record<string, Step>> = kind === 'create' ? createSteps : deleteSteps;
  const found = Object.hasOwn(steps, step) ? steps[step] : undefined;
  if (found !== undefined) return found;
  throw new CliError(exitCodes.failure, `unable to resume the flow: unknown step "${step}" in the journal`, {
    code: 'JOURNAL_BROKEN',
    hints: ['resume it with the version of weir that started it'],
  });
}

/** Adds to an error how the flow that it stopped can go on: what to give or to clean up, to resume, or to forget. */
function resumable(error: unknown, record: FlowRecord): unknown {
  if (!(error instanceof CliError)) return error;
  const resume = resumeCommand(record);
  if (error.hints.some((one) => one.includes(resume))) return error;
  return rephrased(error, error.message, { hints: [...error.hints, ...waysOn(error, record, resume)] });
}

function waysOn(error: CliError, record: FlowRecord, resume: string): readonly string[] {
  const goOn = `resume with: ${resume}${missingFlags(error, record)}`;
  if (error.retryable || error.code === 'INTERRUPTED') return [goOn];
  const forget = `or forget it without undoing anything: ${resume} --forget`;
  const group = record.resource_group_id;
  if (record.step !== 'resource-group' || error.exitCode !== exitCodes.conflict) return [goOn, forget];
  return [
    commandText`see what is left in it with: weir cloud cluster list --resource-group-id ${group}`,
    commandText`and: weir cloud network list --resource-group-id ${group}`,
    `delete that, then ${goOn}`,
    forget,
  ];
}

const placeholders: ReadonlyMap<string | undefined, string> = new Map([
  ['--project-id', 'PROJECT'],
  ['--subscription-id', 'SUBSCRIPTION'],
]);

/** The flags that the plugin needs and that were not given, with a placeholder for their values. */
function missingFlags({ exitCode, target }: CliError, { kind }: FlowRecord): string {
  const value = placeholders.get(target);
  if (exitCode !== exitCodes.usage || value === undefined) return '';
  return `${kind === 'delete' ? ' --destroy' : ''} ${target} ${value}`;
}
