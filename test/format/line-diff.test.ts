import { describe, expect, test } from 'vitest';
import { aroundChanges, diffLines } from '../../src/format/line-diff.ts';

const shown = (before: string, after: string) =>
  diffLines(before.replaceAll(' ', '\n'), after.replaceAll(' ', '\n')).map(({ sign, text }) => `${sign}${text}`.trim());

describe('a comparison of lines', () => {
  test.each([
    ['a b c', 'a b c', ['a', 'b', 'c']],
    ['a b c', 'a x c', ['a', '-b', '+x', 'c']],
    ['a c', 'a b c', ['a', '+b', 'c']],
    ['a b c', 'a c', ['a', '-b', 'c']],
    ['a b a b', 'b a b a', ['-a', 'b', 'a', 'b', '+a']],
    ['a', 'b', ['-a', '+b']],
    ['a a', 'a', ['a', '-a']],
  ])('%s to %s', (before, after, expected) => {
    expect(shown(before, after)).toEqual(expected);
  });

  test('of very long texts counts everything between the common ends as changed', () => {
    const lines = (prefix: string) => Array.from({ length: 3_000 }, (_, at) => `${prefix}${at}`).join('\n');
    const diff = diffLines(`same\n${lines('a')}\nend`, `same\n${lines('b')}\nend`);
    expect(diff).toHaveLength(6_002);
    expect(diff.at(0)).toEqual({ sign: ' ', text: 'same' });
    expect(diff.at(-1)).toEqual({ sign: ' ', text: 'end' });
  });

  test('shows the lines around changes; gaps become undefined', () => {
    const diff = diffLines('a\nb\nc\nd\ne\nf\ng', 'a\nb\nX\nd\ne\nf\nY');
    const lines = aroundChanges(diff, 1).map((line) => line && `${line.sign}${line.text}`);
    expect(lines).toEqual([undefined, ' b', '-c', '+X', ' d', undefined, ' f', '-g', '+Y']);
  });
});
