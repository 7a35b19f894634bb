import { Logger, LoggerLevel } from '../../../admin/debug/node-rows.ts';
import { helpByApi } from '../../../cli/by-api.ts';
import { noun } from '../../../cli/command.ts';
import { listCommand } from '../../../cli/forms/read.ts';
import { chosenLoggers, expiryCell, loggerNames, openLoggers, whereFlags } from './broker-loggers.ts';
import { set } from './set.ts';

const list = listCommand({
  summary: 'List the loggers of a broker, with their levels',
  ...helpByApi({
    description: 'Without --broker, asks any broker.',
    examples: [
      ['All loggers', 'cluster loggers list --broker 1'],
      ['For a script', 'cluster loggers list --broker 1 --format json'],
    ],
    kafka: {},
    admin: { examples: [['Over the Admin API', 'cluster loggers list --broker 0 --api admin']] },
  }),
  aliases: ['ls'],
  apis: ['kafka', 'admin'],
  flags: whereFlags,
  row: Logger,
  read: async (context, where) => await (await openLoggers(context, where)).list(),
  columns: [['logger', ({ name }) => name], 'level'],
});

const get = listCommand({
  summary: 'Show the level of loggers of a broker, and when it expires',
  ...helpByApi({
    description: 'Without --broker, asks any broker.',
    examples: [
      ['One logger', 'cluster loggers get root --broker 1'],
      ['For a script', 'cluster loggers get root --broker 1 --format json'],
    ],
    kafka: {},
    admin: { examples: [['Over the Admin API', 'cluster loggers get raft --broker 0 --api admin']] },
  }),
  apis: ['kafka', 'admin'],
  args: { loggers: loggerNames },
  flags: whereFlags,
  row: LoggerLevel,
  async read(context, { loggers: wanted, ...where }) {
    const loggers = await openLoggers(context, where);
    const rows: LoggerLevel[] = [];
    for (const { name } of chosenLoggers(await loggers.list(), wanted, where)) rows.push(await loggers.level(name));
    return rows;
  },
  columns: [['logger', ({ name }) => name], 'level', ['expires in', expiryCell]],
});

/** `cluster loggers` */
export const loggers = noun({
  summary: 'Show and change the levels of the loggers of a broker',
  commands: { list, get, set },
});
