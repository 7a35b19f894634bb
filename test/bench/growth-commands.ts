import type { Case } from './compare.ts';
import { type Peer, present } from './peers.ts';
import { type Place, weir } from './world.ts';

interface Command {
  readonly args: readonly string[];
  readonly rpk?: readonly string[];
  readonly kcat?: readonly string[];
}

const everything = ['-r', '.*'];

const commands: readonly Command[] = [
  { args: ['topic', 'list'], rpk: ['topic', 'list'], kcat: ['-L'] },
  { args: ['topic', 'describe', '-p', ...everything], rpk: ['topic', 'describe', '-p', ...everything] },
  { args: ['group', 'list'], rpk: ['group', 'list'] },
  { args: ['group', 'describe', ...everything], rpk: ['group', 'describe', ...everything] },
  { args: ['group', 'lag', ...everything] },
  { args: ['cluster', 'health'] },
];

/** The commands to measure against a cluster, with those of other programs that answer the same question. */
export function growthCases({ env, brokers }: Place): readonly Case[] {
  const at = ['-X', `brokers=${brokers}`];
  const peer = (program: string, args: readonly string[] | undefined, broker: readonly string[]): readonly Peer[] =>
    args === undefined ? [] : [{ name: program, file: program, args: [...args, ...broker], env }];
  return commands.map(({ args, rpk, kcat }) => ({
    name: `\`${args.slice(0, 2).join(' ')}\``,
    contenders: [
      { name: 'weir', file: weir, args: [...args, ...at], env },
      ...present([...peer('rpk', rpk, at), ...peer('kcat', kcat, ['-b', brokers])]),
    ],
  }));
}
