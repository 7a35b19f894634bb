/** The flags of `npm run bench`. */
export interface BenchOptions {
  /** How often each contender is measured, after one round that does not count. */
  readonly rounds: number;
  /** Factor of the amounts: 1 is a million records of 100 bytes, or 2,000 topics and 200 groups. */
  readonly scale: number;
  /** Only cases whose name contains this. */
  readonly only: string;
  /** Another checkout, built: weir is measured against its build instead of other programs. Empty: against those. */
  readonly against: string;
}

const known = ['--rounds', '--scale', '--only', '--against', '--write'];

/** Reads `--rounds N`, `--scale F`, `--only TEXT`, `--against CHECKOUT` and `--write`; the other words are names of benchmarks. */
export function readOptions(words: readonly string[]) {
  const names: string[] = [];
  const given = new Map<string, string>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!word.startsWith('--')) names.push(word);
    else if (word === '--write') given.set(word, '');
    else given.set(word, words[++at] ?? '');
  }
  const unknown = [...given.keys()].filter((flag) => !known.includes(flag));
  if (unknown.length > 0)
    throw new Error(`no option ${unknown.join(', ')}: --rounds N, --scale F, --only TEXT, --against CHECKOUT, --write`);
  const options: BenchOptions = {
    rounds: positive(given.get('--rounds') ?? '3'),
    scale: positive(given.get('--scale') ?? '1'),
    only: given.get('--only') ?? '',
    against: given.get('--against') ?? '',
  };
  const write = given.has('--write');
  if (write && (options.only !== '' || options.against !== ''))
    throw new Error('--write takes whole tables: neither --only nor --against');
  return { names, options, write };
}

function positive(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`"${text}" is not a number above 0`);
  return number;
}
