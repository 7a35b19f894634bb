import type { LinesShape } from './datasets.ts';
import { kafkaScript } from './kafka-tools.ts';
import type { Contender } from './measure.ts';
import { present } from './peers.ts';
import { type Place, weirs } from './world.ts';

/** A file that is written to a topic, and how. */
export interface Load extends LinesShape {
  readonly name: string;
  readonly partitions: number;
  readonly codec: string;
  /** The row of the README's table that shows it. */
  readonly quoted?: string;
}

/** Weir and the other programs, each silent about what it wrote. */
export function writers({ keyed, codec }: Load, topic: string, place: Place): readonly Contender[] {
  const { env, brokers } = place;
  const layout = keyed ? '%k %v\\n' : '%v\\n';
  const args = ['topic', 'produce', topic, '-f', layout, '-o', '', '-z', codec, '-X', `brokers=${brokers}`];
  const key = keyed ? ['-K', ' '] : [];
  const parse = keyed ? ['--property', 'parse.key=true', '--property', 'key.separator= '] : [];
  return [
    ...weirs(args, env),
    ...present([
      { name: 'rpk', file: 'rpk', args, env },
      { name: 'kcat', file: 'kcat', args: ['-P', '-b', brokers, '-t', topic, '-z', codec, ...key] },
      kafkaScript(place, 'ConsoleProducer', '--topic', topic, '--compression-codec', codec, ...parse),
    ]),
  ];
}
