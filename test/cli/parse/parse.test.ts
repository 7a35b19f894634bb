import { expect, test } from 'vitest';
import { flag, list, toggle } from '../../../src/cli/command.ts';
import { isOptionHelp, optionHelpIn } from '../../../src/cli/help/option-help.ts';
import { flagSet } from '../../../src/cli/parse/flag-set.ts';
import { flagOf, habitOf } from '../../../src/cli/parse/habits.ts';
import { guessReportFlags, parseLine } from '../../../src/cli/parse/parse.ts';
import { text } from '../../../src/kinds.ts';

const own = {
  name: flag(text, { short: 'n', help: '', aliases: ['title'] }),
  pretty: flag(text, { short: 'p', help: '', bare: 'yes' }),
  all: toggle({ short: 'a', help: '' }),
  word: list(text, { short: 'w', help: '' }),
};
const entries = flagSet({ flags: own, changes: 'reads' });

/** The uses of flags in a line, its operands, and what is unknown. */
async function split(line: string): Promise<string> {
  const { uses, operands, unknown } = await parseLine(line.split(' '), entries);
  return [uses.map(({ entry, value }) => `${entry.key}=${value}`), operands, unknown].join(' | ');
}

test.each<[string, string]>([
  ['a b', ' | a,b | '],
  ['-', ' | - | '],
  ['--unknown=x -z', ' |  | --unknown=x,-z'],
  ['--all', 'all=true |  | '],
  ['--all=true', 'all=true |  | '],
  ['--all=false a', 'all=false | a | '],
  ['--no-all a', 'all=false | a | '],
  ['--no-all=false', 'all=true |  | '],
  ['--no-all=true', 'all=false |  | '],
  ['--name=x=y', 'name=x=y |  | '],
  ['--title -x', 'name=-x |  | '],
  ['--name=', 'name= |  | '],
  ['--pretty a', 'pretty=yes | a | '],
  ['--pretty=no', 'pretty=no |  | '],
  ['-p a', 'pretty=yes | a | '],
  ['-ap', 'all=true,pretty=yes |  | '],
  ['-n=x', 'name=x |  | '],
  ['-n =x', 'name==x |  | '],
  ['-an=x', 'all=true,name=x |  | '],
  ['-a=false', 'all=false |  | '],
  ['-nx', 'name=x |  | '],
  ['-an x', 'all=true,name=x |  | '],
  ['-n --', 'name=-- |  | '],
  ['-n --all=false', 'name=--all=false |  | '],
  ['-az b', 'all=true |  | -z,b'],
  ['--all --all=false', 'all=true,all=false |  | '],
  ['-v -vv --verbose=false', 'verbose=true,verbose=true,verbose=true,verbose=false |  | '],
  ['-a -- --all=false', 'all=true | --all=false | '],
  ['-y -o json --output=yaml', 'yes=true,format=json,format=yaml |  | '],
])('%s is split into "%s"', async (line, parts) => expect(await split(line)).toBe(parts));

test.each([
  ['--name', 'missing value of --name'],
  ['a -an', 'missing value of -n'],
  ['--all=maybe', 'invalid value "maybe" of --all: not a boolean (use true or false)'],
  ['-a=', 'invalid value "" of -a: not a boolean (use true or false)'],
])('%s is an error: %s', async (line, message) => {
  await expect(split(line)).rejects.toMatchObject({ exitCode: 2, message });
});

test.each<[string, ReturnType<typeof isOptionHelp>]>([
  ['-X list', { kind: 'list', prefix: '' }],
  ['-X help', { kind: 'help', prefix: '' }],
  ['-X=help', { kind: 'help', prefix: '' }],
  ['-Xlist', { kind: 'list', prefix: '' }],
  ['--config-opt=list', { kind: 'list', prefix: '' }],
  ['-X help TLS', { kind: 'help', prefix: 'tls' }],
  ['-Xhelp tls', { kind: 'help', prefix: 'tls' }],
  ['-X lists', undefined],
  ['-X list --format json', undefined],
  ['-X list -v', undefined],
  ['topic list', undefined],
  ['-x list', undefined],
])('%s asks for %s', (line, asked) => expect(isOptionHelp(line.split(' '))).toEqual(asked));

test('the first -X that prints options counts', () => {
  expect([optionHelpIn(['user=a', 'help', 'list']), optionHelpIn(['user=list'])]).toEqual(['help', undefined]);
});

test.each<[string, Awaited<ReturnType<typeof guessReportFlags>>]>([
  ['', { format: 'text', verbosity: 0, color: 'auto' }],
  ['x --format json', { format: 'json', verbosity: 0, color: 'auto' }],
  ['x --format=YAML -vv', { format: 'yaml', verbosity: 2, color: 'auto' }],
  ['x --format wide --color always', { format: 'text', verbosity: 0, color: 'always' }],
  ['x --color=never -v --verbose', { format: 'text', verbosity: 2, color: 'never' }],
  ['x --color=maybe - -- -v --format json', { format: 'text', verbosity: 0, color: 'auto' }],
  ['x --format json --format text', { format: 'text', verbosity: 0, color: 'auto' }],
  ['x --yes=maybe --format json --profile', { format: 'json', verbosity: 0, color: 'auto' }],
  ['x --profile -v', { format: 'text', verbosity: 0, color: 'auto' }],
])('the error of "%s" is written with %j', async (line, flags) => {
  expect(await guessReportFlags(line.split(' '))).toEqual(flags);
});

test.each([
  ['--bootstrap-server=b:1', 'weir', '-X brokers=HOST:PORT'],
  ['--bootstrap-servers', 'weir', '-X brokers=HOST:PORT'],
  ['--broker-list', 'weir', '-X brokers=HOST:PORT'],
  ['--topic', 'weir topic list', '"weir topic list TOPIC"'],
  ['--topics', 'weir topic describe', '"weir topic describe TOPIC"'],
  ['--topic', 'weir', '"weir topic consume TOPIC"'],
  ['-c', 'weir topic consume', '-n N'],
  ['--count', 'weir topic consume', '-n N'],
  ['--property', 'weir topic consume', "-f '%k:%v\\n'"],
  ['--list', 'weir', '"weir topic list"'],
  ['--create', 'weir topic', '"weir topic create"'],
  ['--help-operations', 'weir security acl create', '"weir help permissions"'],
  ['--command-config', 'weir topic list', '"weir profile create NAME --from FILE"'],
  ['--consumer-property', 'weir topic consume', '-X KEY=VALUE'],
  ['--broker=1', 'weir cluster partitions move-cancel', '--node N'],
  ['--broker', 'weir cluster partitions list', '-X brokers=HOST:PORT'],
  ['-b', 'weir topic list', '-X brokers=HOST:PORT'],
  ['-t', 'weir topic consume', '"weir topic consume TOPIC"'],
  ['-t', 'weir topic', '"weir topic consume TOPIC"'],
  ['-t', 'weir cluster info', undefined],
  ['-C', 'weir', '"weir topic consume TOPIC"'],
  ['-P', 'weir topic produce', '"weir topic produce TOPIC"'],
  ['-P', 'weir topic list', undefined],
  ['-L', 'weir profile list', '"weir cluster info"'],
  ['-Gx', 'weir topic consume', '-g GROUP'],
  ['-e', 'weir topic consume', '-o :end'],
  ['-J', 'weir topic consume', '--format json'],
  ['--from-beginning', 'weir topic consume', '-o start'],
  ['--max-messages=3', 'weir topic consume', '-n N'],
  ['-n', 'weir topic copy', '-o -10:end (the last 10 offsets of each partition)'],
  ['--limit=3', 'weir topic search', '-n N'],
  ['--count', 'weir topic search', "-f '', which prints only how many records match"],
  ['--since', 'weir topic search', '-o @-1h or -o @2026-11-01:2026-11-02'],
  ['--from', 'weir topic copy', undefined],
  ['--timeout-ms', 'weir topic consume', '--idle DURATION'],
  ['--context', 'weir topic list', '--profile NAME'],
  ['--grep', 'weir topic search', '--contains TEXT'],
  ['--filter', 'weir topic redrive', '--where EXPRESSION'],
  ['-K:', 'weir topic produce', "-f '%k:%v\\n'"],
  ['--describe', 'weir', '"weir topic describe"'],
  ['--delete', 'weir topic', '"weir topic delete"'],
  ['--delete', 'weir topic list', undefined],
  ['--force', 'weir topic delete', '--yes'],
  ['--producer-property', 'weir topic produce', '-X KEY=VALUE'],
  ['--json', 'weir topic list', '--format json'],
  ['--nonsense', 'weir topic list', undefined],
  ['--topic', 'weir security acl explain', 'the resource as an argument, such as topic:NAME or cluster'],
])('%s at "%s" means %s', (word, path, meant) => expect(habitOf(word, path)).toBe(meant));

test('the flag in a word has neither its value nor further letters', () => {
  expect(['--a=b=c', '--a', '-abc', '-a'].map(flagOf)).toEqual(['--a', '--a', '-a', '-a']);
});
