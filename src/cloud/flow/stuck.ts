import { CliError, exitCodes, rephrased } from '../../errors.ts';
import { commandText } from '../../format/shell-word.ts';
import { type FlowRecord, resumeCommand } from './record.ts';

/** Adds to an error how the flow that it stopped can go on: what to give or to clean up, to resume, or to forget. */
export function resumable(error: unknown, record: FlowRecord): unknown {
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
