import { Logger, LoggerLevel } from '../../admin/debug/node-rows.ts';
import { flag, many, noun } from '../../cli/command.ts';
import { type Applied, change } from '../../cli/forms/change.ts';
import { listCommand } from '../../cli/forms/read.ts';
import type { Context } from '../../context.ts';
import { CliError, itemErrorOf, notFoundError, stoppedError } from '../../errors.ts';
import { excerpt } from '../../format/excerpt.ts';
import { commandText } from '../../format/shell-word.ts';
import type { Cell } from '../../format/table.ts';
import { integer, oneOf, text } from '../../kinds.ts';
import { described, maybe, type RowOf, row, string, whole } from '../../shape/shape.ts';
import { sending } from '../interruption.ts';
import { hostFlag } from './host-flag.ts';

const levels = ['error', 'warn', 'info', 'debug', 'trace'] as const;

/** A logger whose level is or would be changed. */
const ChangedLogger = row({
  logger: string,
  old_level: maybe(string),
  new_level: string,
  expires_s: described(
    maybe(whole),
    'seconds until the level goes back to its default; null if it stays until a restart',
  ),
});
type ChangedLogger = RowOf<typeof ChangedLogger>;

const set = change({
  summary: 'Change the level of loggers of one node for a while',
  description: `The level goes back to its default after the expiry; the node may shorten the expiry of debug and trace. The word all
means every logger. A logger that cannot be changed does not hide the others.`,
  examples: [
    ['Five minutes of debug', 'redpanda admin config log-level set raft kafka --host 0'],
    ['Every logger, until a restart', 'redpanda admin config log-level set all -l warn -e 0 --host 0'],
    ['Show the levels first', 'redpanda admin config log-level set raft --host 0 --dry-run'],
  ],
  hidden: true,
  apis: ['admin'],
  args: { loggers: many(text, 'LOGGER', 'names of loggers, or all') },
  flags: {
    host: hostFlag,
    level: flag(oneOf('level', levels), { short: 'l', help: 'the new level', fallback: 'debug' }),
    expirySeconds: flag(integer({ min: 0, max: 31_536_000 }), {
      short: 'e',
      help: 'seconds until the level goes back to its default; 0: until a restart',
      fallback: 300,
    }),
  },
  changes: 'alters',
  noun: 'logger',
  item: ChangedLogger,
  async plan(context, { loggers: names, host, level, expirySeconds: seconds }) {
    const chosen = chosenLoggers(await (await context.admin()).loggers(host), names);
    return chosen.map(({ name, level: old }) => {
      return { logger: name, old_level: old, new_level: level, expires_s: seconds || null };
    });
  },
  async apply(context, loggers, { host, expirySeconds: seconds }) {
    sending(
      context,
      'changing the level of loggers',
      commandText`weir redpanda admin config log-level list --host ${host}`,
    );
    const changes: Applied<ChangedLogger>[] = [];
    for (const one of loggers) changes.push(await changed(context, host, { row: one, seconds }));
    context.onInterrupt(stoppedError('the levels are changed', [], host));
    return changes;
  },
  columns: ['logger', 'old_level', 'new_level', ['expires in', expiryCell]],
  would: 'be changed',
});

const list = listCommand({
  summary: 'List the loggers of one node, with their levels',
  examples: [
    ['All loggers', 'redpanda admin config log-level list --host 0'],
    ['For a script', 'redpanda admin config log-level list --host 0 --format json'],
  ],
  aliases: ['ls'],
  hidden: true,
  apis: ['admin'],
  flags: { host: hostFlag },
  row: Logger,
  read: async (context, { host }) => await (await context.admin()).loggers(host),
  columns: [['logger', ({ name }) => name], 'level'],
});

const get = listCommand({
  summary: 'Show the level of one logger of one node, and when it expires',
  examples: [
    ['One logger', 'redpanda admin config log-level get raft --host 0'],
    ['For a script', 'redpanda admin config log-level get kafka/client --host 0 --format json'],
  ],
  hidden: true,
  apis: ['admin'],
  args: { loggers: many(text, 'LOGGER', 'names of loggers, or all') },
  flags: { host: hostFlag },
  row: LoggerLevel,
  async read(context, { loggers: names, host }) {
    const admin = await context.admin();
    const rows: LoggerLevel[] = [];
    for (const { name } of chosenLoggers(await admin.loggers(host), names))
      rows.push(await admin.loggerLevel(host, name));
    return rows;
  },
  columns: [['logger', ({ name }) => name], 'level', ['expires in', expiryCell]],
});

/** `redpanda admin config log-level` */
export const logLevel = noun({
  summary: 'Show and change the levels of the loggers of one node',
  hidden: true,
  commands: { set, get, list },
});

/** The loggers with these names, in the order of the node. @throws CliError (exit 3) naming one that the node does not have */
function chosenLoggers(all: readonly Logger[], names: readonly string[]): readonly Logger[] {
  if (names.includes('all')) return all;
  const loggerNames = new Set(all.map(({ name }) => name));
  const unknown = names.find((name) => !loggerNames.has(name));
  if (unknown === undefined) return all.filter(({ name }) => names.includes(name));
  throw notFoundError(`the node has no logger "${excerpt(unknown)}"`, {
    code: 'LOGGER_NOT_FOUND',
    target: unknown,
    hints: ['see the loggers with: weir redpanda admin config log-level list --host HOST'],
  });
}

async function changed(
  { admin }: Context,
  host: string,
  { row, seconds }: { readonly row: ChangedLogger; readonly seconds: number },
): Promise<Applied<ChangedLogger>> {
  try {
    const change = { name: row.logger, level: row.new_level, seconds };
    const { level, expires_s } = await (await admin()).setLoggerLevel(host, change);
    return { new_level: level, expires_s };
  } catch (error) {
    // What concerns the node concerns every logger.
    if (!(error instanceof CliError) || error.code !== 'INVALID_REQUEST') throw error;
    return { new_level: row.old_level ?? row.new_level, expires_s: null, error: itemErrorOf(error) };
  }
}

function expiryCell({ expires_s: seconds }: { readonly expires_s: number | null }): Cell {
  return seconds === null ? null : `${seconds}s`;
}
