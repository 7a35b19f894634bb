import { flag, partlyShown, toggle } from '../../cli/command.ts';
import { integer } from '../../kinds.ts';
import { type LogLine, readLogs } from '../../sandbox/logs.ts';
import { getSandbox, membersOf } from '../../sandbox/sandbox.ts';
import { row, string, whole } from '../../shape/shape.ts';
import { unbounded } from '../open-end.ts';
import { locationOf, nameFlag } from './location.ts';

interface LogRow {
  readonly line: LogLine;
  /** Whether all lines come from one process, so that they need no prefix. */
  readonly isAlone: boolean;
}

/** `sandbox logs` */
export const logs = partlyShown({
  summary: 'Show the logs of the brokers of a sandbox',
  examples: [
    ['The last 50 lines', 'sandbox logs'],
    ['Only new lines, as they arrive', 'sandbox logs -f -n 0'],
  ],
  flags: {
    follow: toggle({ short: 'f', help: 'keep printing new lines until Ctrl-C' }),
    lines: flag(integer({ min: 0 }), {
      short: 'n',
      help: 'number of last lines to print of each broker',
      fallback: 50,
    }),
    name: nameFlag,
  },
  changes: 'reads',
  result: row({ part: string, id: whole, line: string }),
  async run(context, { name, lines, follow }): Promise<AsyncIterable<LogRow>> {
    const members = await membersOf(await getSandbox(locationOf(context, name)));
    const read = readLogs(members, { lines, follow, signal: context.signal });
    const rows = marked(read, members.length === 1);
    return follow ? unbounded(rows, context) : rows;
  },
  show: {
    json: ({ line }) => line,
    text: ({ line: { part, id, line }, isAlone }) => (isAlone ? `${line}\n` : `${part} ${id}: ${line}\n`),
  },
});

async function* marked(lines: AsyncIterable<LogLine>, isAlone: boolean): AsyncIterable<LogRow> {
  for await (const line of lines) yield { line, isAlone };
}
