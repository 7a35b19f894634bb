/** Commands that come from plugins of rpk. */
const plugins = ['ai', 'check', 'connect', 'k8s', 'oxla'];

/**
 * The command lines of rpk in the code blocks of AsciiDoc pages, each once, as words without `rpk`. Usage lines and
 * commands of plugins are left out.
 */
export function rpkLines(pages: readonly string[]): readonly (readonly string[])[] {
  const lines = new Map<string, readonly string[]>();
  for (const line of pages.flatMap(codeLines)) {
    if (/\[(?:flags|command)\]/.test(line)) continue;
    for (const words of commandsOf(line)) {
      if (words.length > 0 && !plugins.includes(words[0] ?? '')) lines.set(words.join(' '), words);
    }
  }
  return [...lines.values()];
}

/** The lines of the code blocks, with continued lines joined. */
function codeLines(page: string): readonly string[] {
  const lines: string[] = [];
  let end: string | undefined;
  let [isUsage, joined] = [false, ''];
  for (const line of page.split('\n')) {
    if (end === undefined) {
      if (/^=+ /.test(line)) isUsage = /^=+ (?:Usage|Flags|Aliases)/.test(line);
      else if (/^(?:-{4,}|\.{4,}|```\w*)$/.test(line.trim())) end = line.trim().replace(/`\w*$/, '`');
    } else if (line.trim() === end) {
      [end, joined] = [undefined, ''];
    } else if (!isUsage) {
      const text = joined + line.replace(/\s*(?:\/\/|#)?\s*(?:<\d+>|<\.>)\s*$/, '');
      const isContinued = /\\\s*$/.test(text);
      joined = isContinued ? `${text.replace(/\\\s*$/, '').trimEnd()} ` : '';
      if (!isContinued) lines.push(text.replaceAll(/\+\+\+?(<[^>]+>)\+\+\+?/g, '$1'));
    }
  }
  return lines;
}

/** The words behind each `rpk` that a shell would run in a line. */
function commandsOf(line: string): readonly (readonly string[])[] {
  const starts = line.matchAll(
    /(?:^|^.*? -- |^.*?\bexec .*?|\||&&|;|\$\(|<\(|")\s*(?:[$#>%] ?)?(?:sudo )?rpk (?=[a-z-])/g,
  );
  return [...starts].map((start) => wordsOf(line.slice(start.index + start[0].length)));
}

/** The words of one command: up to a pipe, a redirection, a comment or the end. Placeholders (`<a b>`) are one word. */
function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  const token =
    /\s+|'([^']*)'|"((?:\\.|[^"\\])*)"|(<[A-Za-z][^<>]*>)|\\(.)|(\$\([^)]*\)|\$\{[^}]*\})|([|;&()`]|\d?>+|<+|"|')|(.)/gy;
  for (const [all, single, double, placeholder, escaped, substitution, end, plain] of text.matchAll(token)) {
    if (end !== undefined || (plain === '#' && word === undefined)) break;
    const part = single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? placeholder ?? escaped ?? substitution ?? plain;
    if (part !== undefined) word = (word ?? '') + part;
    else if (word !== undefined && /^\s/.test(all)) {
      words.push(word);
      word = undefined;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** A command of rpk in the command tree that its documentation is made from. */
interface Node {
  readonly name: string;
  readonly commands?: readonly Node[] | null;
  readonly flags?: readonly { readonly name: string; readonly type: string }[] | null;
}

/** A line for each flag of each command of rpk's own in the command tree, with a placeholder for its value and an argument. */
export function flagLines(tree: unknown): readonly (readonly string[])[] {
  const { raw_tree: root } = tree as { readonly raw_tree: Node };
  const below = ({ commands, flags }: Node, path: readonly string[]): readonly (readonly string[])[] => [
    ...(commands?.length ? [] : (flags ?? [])).map(({ name, type }) => [
      ...path,
      type === 'bool' ? `--${name}` : `--${name}=<${type}>`,
      '<argument>',
    ]),
    ...(commands ?? []).flatMap((node) => below(node, [...path, node.name])),
  ];
  return (root.commands ?? [])
    .filter(({ name }) => !plugins.includes(name))
    .flatMap((node) => below(node, [node.name]));
}
