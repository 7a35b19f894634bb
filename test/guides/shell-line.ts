import { splitLine } from '../world.ts';

/** One program of a pipeline. */
export interface Stage {
  /** Variables set for this program, or for the shell where there are no words. */
  readonly assigned: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  /** The file that is its standard input, or its output. */
  readonly input: string | undefined;
  readonly output: string | undefined;
}

/** Words with their quotes, and the operators between them. */
const tokens = /(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/gs;

/**
 * Reads a line of a shell as far as the guides go: pipes, `<`, `>`, assignments, quotes, comments, and `$(…)`, whose
 * value `substitute` gives.
 */
export function readShellLine(line: string, substitute = (inner: string) => inner): readonly Stage[] {
  const stages: Stage[] = [];
  let stage = emptyStage();
  const all = [...line.matchAll(tokens)].map(([token]) => token);
  const comment = all.findIndex((token) => token.startsWith('#'));
  const used = comment < 0 ? all : all.slice(0, comment);
  for (let at = 0; at < used.length; at++) {
    const token = used[at] ?? '';
    if (token === '|') {
      stages.push(stage);
      stage = emptyStage();
    } else if (token === '<') stage = { ...stage, input: unquoted(used[++at] ?? '') };
    else if (token === '>') stage = { ...stage, output: unquoted(used[++at] ?? '') };
    else stage = withWord(stage, unquoted(token.replace(/\$\(([^)]*)\)/g, (_, inner: string) => substitute(inner))));
  }
  return used.length === 0 ? [] : [...stages, stage];
}

function emptyStage(): Stage {
  return { assigned: {}, words: [], input: undefined, output: undefined };
}

function withWord(stage: Stage, word: string): Stage {
  const [, name, value = ''] = /^([A-Z][A-Z0-9_]*)=(.*)$/s.exec(word) ?? [];
  if (name === undefined || stage.words.length > 0) return { ...stage, words: [...stage.words, word] };
  return { ...stage, assigned: { ...stage.assigned, [name]: value } };
}

function unquoted(token: string): string {
  return splitLine(token)[0] ?? '';
}

/** The words of every weir in a line, those of `$(weir …)` included. */
export function weirLinesOf(line: string): readonly (readonly string[])[] {
  const inner = [...line.matchAll(/\$\((weir [^)]*)\)/g)].flatMap(([, text = '']) => weirLinesOf(text));
  const own = readShellLine(line, () => '').filter(({ words }) => words[0] === 'weir');
  return [...own.map(({ words }) => words.slice(1)), ...inner];
}
