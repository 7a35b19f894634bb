import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { codes } from '../../../../src/kafka/protocol/wire/error-codes.ts';
import { defaultKafkaVersion } from '../../../../src/sandbox/kafka/libraries.ts';
import { layouts } from '../../../services/layouts.ts';

/** What Kafka's own classes say, by name, key, side and version of a message. */
let kafka: ReadonlyMap<string, string>;

beforeAll(async () => {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const libraries = join(cache, 'weir/kafka', defaultKafkaVersion, '*');
  const { stdout } = await execa('java', [
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    '-cp',
    libraries,
    join(import.meta.dirname, 'KafkaSchemas.java'),
  ]);
  kafka = new Map(
    stdout.split('\n').map((line) => [line.slice(0, line.indexOf(' {')), line.slice(line.indexOf(' {') + 1)]),
  );
});

describe('the layouts', () => {
  it.each(layouts.map((layout) => [layout.name, layout] as const))(
    "of %s are those of Kafka's own classes",
    (_, layout) => {
      const { name, key, versions } = layout;
      const [first, last] = versions;
      for (let version = first; version <= last; version += 1) {
        for (const side of ['request', 'response'] as const) {
          const message = `${name} ${key} ${side} ${version}`;
          expect(`${message} ${inKafkasWords(layout.describe(version)[side])}`).toBe(
            `${message} ${kafka.get(message)}`,
          );
        }
      }
    },
  );
});

it("the error codes are Kafka's own", () => {
  const theirs = [...kafka].flatMap(([key, code]) => (key.startsWith('error ') ? [[key.slice(6), code] as const] : []));
  expect(Object.entries(codes).map(([name, code]) => [name, `{${code}}`])).toEqual(theirs);
});

/** Field names in snake case; whether a structure may be null is not in Kafka's schemas. */
function inKafkasWords(fields: string): string {
  return fields.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('}?', '}');
}
